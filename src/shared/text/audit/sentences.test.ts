import { expect, test } from 'vitest'
import type { AuditLog } from '#shared/audit/audit-logs.ts'
import { type AuditAction, auditSentences, resourceOf } from '#shared/audit/audit-actions.ts'
import permissionTable from '#shared/permissions.json' with { type: 'json' }
import { attemptText } from './call-texts.ts'
import { valueText } from './field-texts.ts'
import { reasonOf, sentenceOf } from './sentences.ts'

const people: Readonly<Record<number, string>> = { 1: 'Marina', 2: 'Bruno', 3: 'Ana' }
const nameOf = (userId: unknown) => people[Number(userId)] ?? '?'

const rowOf = (action: AuditAction, more: Partial<AuditLog> = {}): AuditLog => ({
  id: 1,
  position: 1,
  hash: '0'.repeat(64),
  createdAt: '2026-11-19T17:32:08.000Z',
  actor: { kind: 'person', id: 1, name: 'Marina', role: 'admin' },
  address: '203.0.113.7',
  device: null,
  sessionSince: null,
  action,
  resource: { type: resourceOf(action), id: '7', name: 'Rita' },
  outcome: 'done',
  repeats: 1,
  details: {},
  personal: {},
  isErased: false,
  ...more,
})
const stranger = { kind: 'stranger', id: null, name: null, role: null } as const
const system = { kind: 'system', id: null, name: null, role: null } as const
const refused = { outcome: 'refused', actor: stranger } as const

test.each<[AuditAction, Partial<AuditLog>, string]>([
  ['auth.login', {}, 'Marina entrou'],
  [
    'auth.login_failed',
    { ...refused, details: { reason: 'auth.invalid_credentials', attempt: 1 }, personal: { typed: 'ana' } },
    'Tentativa de login recusada para "ana" (203.0.113.7)',
  ],
  [
    'auth.login_failed',
    {
      ...refused,
      details: { reason: 'auth.blocked', attempt: 3, isLoginLocked: true },
      personal: { typed: 'ana' },
    },
    'Tentativa de login recusada para "ana": terceira senha errada, a conta recusa novas entradas ' +
      '(203.0.113.7)',
  ],
  [
    'auth.login_failed',
    { ...refused, details: { reason: 'auth.too_many_attempts' }, personal: { typed: 'ana' }, repeats: 1200 },
    'Tentativa de login recusada para "ana": tentativas demais deste endereço, 1200 vezes (203.0.113.7)',
  ],
  [
    'auth.login_failed',
    {
      ...refused,
      details: { reason: 'auth.invalid_credentials', attempt: 1 },
      isErased: true,
      address: null,
    },
    'Tentativa de login recusada para nome apagado',
  ],
  [
    'auth.login_failed',
    { ...refused, details: { reason: 'auth.invalid_credentials', attempt: 1 }, address: null },
    'Tentativa de login recusada para um nome que não se guarda',
  ],
  [
    'user.update',
    { details: { changes: { role: ['operator', 'supervisor'] } } },
    'Marina mudou o perfil de Rita de Operador para Supervisor',
  ],
  [
    'user.update',
    { details: { changes: { isActive: [true, false] }, freed: 3 } },
    'Marina desativou a conta de Rita; 3 conversas voltaram para a fila',
  ],
  ['user.update', { details: { changes: {}, isPasswordChanged: true } }, 'Marina deu outra senha a Rita'],
  [
    'user.update',
    {
      details: { changes: {}, isPasswordChanged: true },
      personal: { changes: { name: ['R', 'Rita'], email: ['a', 'b'] } },
    },
    'Marina mudou a conta de Rita: nome e email, e deu outra senha',
  ],
  [
    'user.update',
    { details: { changes: { numberIds: [null, [1]] }, freed: 2 } },
    'Marina mudou a conta de Rita: números; 2 conversas voltaram para a fila',
  ],
  ['user.block', { details: { freed: 1 } }, 'Marina bloqueou Rita; 1 conversa voltou para a fila'],
  [
    'permissions.update',
    { details: { changes: { canViewUsers: [false, true], canEditContacts: [true, false] } } },
    'Marina mudou as permissões de Rita: 1 ligada e 1 desligada',
  ],
  [
    'access.denied',
    {
      outcome: 'refused',
      details: { call: 'GET /api/reports/stats', reason: 'auth.forbidden' },
      repeats: 12,
    },
    'Marina tentou abrir Relatórios sem permissão, 12 vezes',
  ],
  [
    'conversation.read',
    { details: { contactId: 7, assignedUserId: 3 }, repeats: 4 },
    'Marina leu a conversa finalizada de Rita, atendida por Ana',
  ],
  ['conversation.assign', { details: { to: 1, from: null } }, 'Marina assumiu a conversa de Rita'],
  [
    'conversation.transfer',
    { details: { to: 2, from: 3 } },
    'Marina transferiu a conversa de Rita para Bruno, que era de Ana',
  ],
  [
    'conversation.transfer',
    { details: { to: 2, from: 1 } },
    'Marina transferiu a conversa de Rita para Bruno',
  ],
  [
    'conversation.distribute',
    { actor: system, details: { to: 2 } },
    'Sistema distribuiu a conversa de Rita para Bruno',
  ],
  [
    'conversation.delete',
    {
      details: { messageCount: 1, assignedUserId: null },
      resource: { type: 'conversation', id: '7', name: null },
    },
    'Marina excluiu a conversa de um contato que não existe mais, com 1 mensagem',
  ],
  [
    'conversation.priority',
    { details: { changes: { priority: ['normal', 'high'] } } },
    'Marina mudou a prioridade da conversa de Rita de Normal para Alta',
  ],
  [
    'contact.change',
    { details: { fields: ['name', 'phone', 'notes'] } },
    'Marina mudou o contato Rita: nome, telefone e notas',
  ],
  ['settings.change', { details: { names: ['lgpdMessage'] } }, 'Marina mudou a configuração LGPD'],
  [
    'settings.change',
    { details: { names: ['lgpdMessage', 'workingHours'] } },
    'Marina mudou 2 configurações: LGPD e Horário de atendimento',
  ],
  [
    'gateway.update',
    { details: { instanceName: 'loja1', isKeyChanged: true, changes: { baseUrl: ['a', 'b'] } } },
    'Marina mudou a conexão loja1: endereço do gateway e chave da API',
  ],
  ['report.export', {}, 'Marina exportou um relatório'],
  ['audit.export', { details: { rows: 1219 } }, 'Marina exportou 1.219 registros da auditoria'],
  ['maintenance.backup', { details: { name: 'Backup_1' } }, 'Marina começou o backup Backup_1'],
  [
    'maintenance.backup_end',
    { actor: system, details: { name: 'Backup_1', status: 'completed' } },
    'Sistema concluiu o backup Backup_1',
  ],
  [
    'maintenance.backup_end',
    { details: { name: 'Backup_1', status: 'failed' } },
    'Marina não concluiu o backup Backup_1',
  ],
  ['maintenance.media_move', { details: { to: 's3' } }, 'Marina começou a mudar os arquivos para o bucket'],
  ['maintenance.media_move', { details: { to: 'disk' } }, 'Marina começou a mudar os arquivos para o disco'],
  ['maintenance.media_clean', { details: { files: 2 } }, 'Marina removeu 2 arquivos sem registro'],
  ['maintenance.delete', { details: { name: 'Backup_1' } }, 'Marina apagou o backup Backup_1'],
  ['maintenance.download', { details: { name: 'Backup_1' }, repeats: 2 }, 'Marina baixou o backup Backup_1'],
  [
    'maintenance.preview',
    { details: { name: 'Backup_1', restoreComplete: true, restoreSettings: false } },
    'Marina viu o que mudaria ao restaurar o backup Backup_1',
  ],
  [
    'maintenance.restore',
    { details: { name: 'Backup_1', restoreComplete: true, restoreSettings: true } },
    'Marina começou a restaurar configurações, contatos e conversas do backup Backup_1',
  ],
  [
    'maintenance.restore',
    { details: { name: 'Backup_1', restoreComplete: false, restoreSettings: true } },
    'Marina começou a restaurar configurações do backup Backup_1',
  ],
  [
    'maintenance.restore',
    { details: { name: 'Backup_1', restoreComplete: false, restoreSettings: true, acceptUnsigned: true } },
    'Marina começou a restaurar configurações do backup Backup_1, que não está assinado',
  ],
  [
    'maintenance.attach',
    { actor: system, details: { madeAt: '2026-11-20T12:00:00.000Z', acceptUnsigned: true } },
    'Sistema fez esta instalação a partir da cópia de 20/11/2026, que não está assinada',
  ],
  [
    'maintenance.restore_end',
    { details: { name: 'Backup_1', added: 1219 } },
    'Marina restaurou 1.219 registros do backup Backup_1',
  ],
  [
    'maintenance.cleanup',
    { details: { dateFrom: '2026-09-01', dateTo: '2026-10-31' } },
    'Marina começou a apagar as conversas finalizadas de 01/09/2026 a 31/10/2026',
  ],
  [
    'maintenance.cleanup',
    { details: { dateFrom: '2026-09-01', dateTo: '2026-09-01' } },
    'Marina começou a apagar as conversas finalizadas em 01/09/2026',
  ],
  [
    'maintenance.cleanup',
    { details: { cleanAll: true } },
    'Marina começou a apagar todas as conversas finalizadas',
  ],
  [
    'maintenance.cleanup_end',
    { details: { deletedConversations: 27, deletedMessages: 1, deletedFiles: 0 } },
    'Marina apagou 27 conversas com 1 mensagem e 0 arquivos',
  ],
  ['maintenance.stop', { details: { kind: 'restore' } }, 'Marina parou uma restauração'],
  [
    'maintenance.plan',
    { details: { changes: { backupTime: ['23:00', '22:30'], textDays: [null, 730] } } },
    'Marina mudou o backup diário ou os prazos: horário do backup e prazo dos textos',
  ],
  [
    'maintenance.retention',
    { actor: system, details: { files: 14, texts: 1, inbox: 2318, audit: 0 } },
    'Sistema apagou por prazo 1 texto, 14 arquivos, 2.318 webhooks e 0 registros da auditoria',
  ],
])('the audit has a sentence for %s with %j', (action, more, sentence) => {
  expect(sentenceOf(rowOf(action, more), nameOf)).toBe(sentence)
})

const calls = permissionTable.endpoints.map(({ id }) => id).filter((id) => !id.startsWith('WS recv'))

test.each(Object.keys(auditSentences) as AuditAction[])(
  '%s has a sentence also when a row tells nothing else, or something odd',
  (action) => {
    for (const details of [{}, { changes: 7, names: 'x', fields: null, rows: {}, to: [], call: 3 }]) {
      const row = rowOf(action, {
        details,
        personal: details,
        resource: { type: 'user', id: null, name: null },
      })
      const sentence = sentenceOf(row, nameOf)
      expect(sentence.length).toBeGreaterThan(8)
      expect(sentence).not.toMatch(/undefined|NaN|\[object/)
    }
  },
)

test('an act of an earlier or a later version is named by its action', () => {
  const row = { ...rowOf('auth.login'), action: 'thing.done' }
  expect(sentenceOf(row, nameOf)).toBe('Marina thing.done')
})

test('the audit shows the reason of a refusal', () => {
  const row = rowOf('access.denied', { outcome: 'refused', details: { reason: 'messages.not_yours' } })
  expect(reasonOf(row)).toBe('Só quem enviou a mensagem pode mudá-la.')
  expect(reasonOf(rowOf('auth.login'))).toBeUndefined()
})

test.each(calls)('%s belongs to an area with a name', (call) => {
  expect(attemptText(call).area).not.toBe(call)
})

test.each([
  ['role', 'admin', 'Administrador'],
  ['canViewUsers', true, 'ligada'],
  ['isActive', false, 'não'],
  ['phone', '5511987342210', '(11) 98734-2210'],
  ['tags', ['atacado', 'boleto'], 'atacado, boleto'],
  ['tags', [], '(vazio)'],
  ['company', null, '(vazio)'],
  ['timezone', 'America/Manaus', 'Manaus'],
  ['workingHours', { start: '09:00', days: [1, 2] }, 'início: 09:00, dias: seg, ter'],
  ['workingHours', { differentDays: undefined }, 'horário diferente: (vazio)'],
  [
    'workingHours',
    {
      differentDays: [
        { day: 6, start: '08:00', end: '12:00', lunch: 'usual' },
        { day: 0, start: '00:00', end: '00:00', lunch: 'none' },
        { day: 2, start: '08:00', end: '20:00', lunch: { start: '11:00', end: '11:30' } },
      ],
    },
    'horário diferente: sáb 08:00–12:00; dom 24 horas, sem almoço; ter 08:00–20:00, almoço 11:00–11:30',
  ],
  ['quickResponses', [{ shortcut: 'pix', text: 'Chave' }], 'atalho: pix, texto: Chave'],
  ['maxActivePerOperator', 1000, '1.000'],
  ['textDays', 3650, '3.650 dias'],
  ['textDays', null, 'para sempre'],
  ['inboxDays', null, '30 dias'],
  ['numberIds', null, 'todos'],
  ['numberIds', [3], '1 número'],
  ['numberIds', [3, 4], '2 números'],
])('%s %j is shown as %s', (field, value, text) => expect(valueText(field, value)).toBe(text))
