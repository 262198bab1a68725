import { scopeLabels } from '#shared/users/scope.ts'
import { fields } from '#shared/rooms/texts.ts'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { type DifferentDay, isWholeDay, timeZones } from '#shared/settings/schedule.ts'
import { flagGroups } from '#shared/text/rights/flag-texts.ts'
import { formatPhone } from '#shared/text/phone.ts'
import { newDayLabels, silenceModeLabels } from '#shared/settings/texts.ts'
import { categoryLabel, priorityLabels, roleLabels } from '#shared/text/text.ts'

/** What a setting is called in the audit. */
const settingNames: Readonly<Record<keyof SystemSettings, string>> = {
  workingHours: 'Horário de atendimento',
  lunchBreak: 'Intervalo de almoço',
  timezone: 'Fuso horário',
  scheduleExceptions: 'Datas especiais',
  companyName: 'Nome da empresa',
  whatsappNumber: 'Número do WhatsApp',
  autoReplyMessage: 'Mensagem fora do horário',
  isAutoReplyEnabled: 'Responder fora do horário',
  quickResponses: 'Respostas rápidas',
  transferMessage: 'Transferência',
  finalizationMessage: 'Finalização',
  inactivityMessage: 'Inatividade',
  greetingMessage: 'Saudação',
  verificationMessage: 'Verificação',
  farewellMessage: 'Despedida',
  lgpdMessage: 'LGPD',
  enableSoundNotifications: 'Sons de notificação',
  enableViewTrackingForAll: 'Registrar visualizações de todos',
  queueMessage: 'Mensagem da fila',
  queueWelcomeMessage: 'Boas-vindas da fila',
  queuePositionUpdateMessage: 'Atualização de posição',
  warningMessage: 'Aviso antes da primeira mensagem do operador',
  operatorInitiatedWarningMessage: 'Aviso de conversa iniciada pelo operador',
  blockedFileNotice: 'Avisar de arquivo bloqueado',
  blockedFileMessage: 'Arquivo bloqueado',
  preAttendanceEnabled: 'Pré-atendimento',
  preAttendanceMessage: 'Pergunta do pré-atendimento',
  preAttendanceCancelMessage: 'Pré-atendimento: ao escolher 2',
  preAttendanceInvalidMessage: 'Pré-atendimento: opção inválida',
  preAttendanceMostInvalid: 'Pré-atendimento: respostas inválidas',
  sectorMenuEnabled: 'Menu de setores',
  sectorMenuMessage: 'Menu de setores: pergunta',
  sectorMenuInvalidMessage: 'Menu de setores: opção inválida',
  sectorMenuCancel: 'Menu de setores: 0 - Cancelar',
  ratingsEnabled: 'Pedir avaliação',
  ratingMessage: 'Pergunta da avaliação',
  ratingAfterInactivity: 'Avaliação após inatividade',
  thanksStayClosed: 'Agradecimento não reabre',
  phoneAnswersCount: 'Resposta pelo celular conta',
  undoSendSeconds: 'Desfazer envio',
  undoFinalizeSeconds: 'Desfazer finalização',
  newDayPresence: 'Um novo dia começa como',
  silentHours: 'Horário silencioso',
  readReceiptsEnabled: 'Confirmar leitura ao cliente',
  maxActivePerOperator: 'Limite por operador',
  pauseReturnMinutes: 'Voltar à fila durante a pausa',
  autoDistributionEnabled: 'Distribuir automaticamente',
  inactivityWarningMessage: 'Aviso antes de encerrar',
  inactivityWarningMinutes: 'Avisar antes de encerrar',
  inactivityAppliesTo: 'Encerrar por inatividade',
  inactivityCountsOpenHoursOnly: 'Contar só no expediente',
  askReason: 'Pedir motivo ao finalizar',
  askTag: 'Pedir etiqueta ao finalizar',
}

const otherNames: Readonly<Record<string, string>> = {
  ...fields,
  name: 'Nome',
  email: 'Email',
  phone: 'Telefone',
  isActive: 'Ativo',
  priority: 'Prioridade',
}

/** In days; null is a value as well. */
const periods = new Set(['mediaDays', 'textDays', 'inboxDays', 'auditDays'])

const flagNames = new Map<string, string>(
  flagGroups.flatMap(({ flags }) => flags.map(({ flag, label }) => [flag, label])),
)

/** What a changed field is called. One that is not known keeps its name. */
export function fieldName(field: string): string {
  return settingName(field) ?? otherNames[field] ?? flagNames.get(field) ?? field
}

export const settingName = (field: string): string | undefined =>
  Object.hasOwn(settingNames, field) ? settingNames[field as keyof SystemSettings] : undefined

/** The names of the parts of settings that consist of several. */
const partNames: Readonly<Record<string, string>> = {
  start: 'início',
  end: 'fim',
  days: 'dias',
  differentDays: 'horário diferente',
  enabled: 'ligado',
  date: 'data',
  hours: 'horário',
  message: 'mensagem',
  shortcut: 'atalho',
  text: 'texto',
  file: 'arquivo',
  fileName: 'nome',
  mode: 'quando',
  daysOff: 'dias de folga',
  mentions: 'menções avisam',
}
const weekdays = ['dom', 'seg', 'ter', 'qua', 'qui', 'sex', 'sáb']

const labelled: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  role: roleLabels,
  roles: roleLabels,
  priority: priorityLabels,
  scope: scopeLabels,
  timezone: timeZones,
  inactivityAppliesTo: {
    client: 'Quando o cliente não responde',
    all: 'Também quando nós não respondemos',
  },
  newDayPresence: newDayLabels,
  mode: silenceModeLabels,
}

/** Those that were given to somebody, by their ids. */
function numbersText(value: unknown): string {
  if (!Array.isArray(value)) return 'todos'
  return value.length === 1 ? '1 número' : `${value.length} números`
}

/** A value before or after a change, in words. */
export function valueText(field: string, value: unknown): string {
  if (field === 'inboxDays' && value === null) return '30 dias'
  if (field === 'numberIds') return numbersText(value)
  if (periods.has(field) && value === null) return 'para sempre'
  if (value === null || value === undefined || value === '') return '(vazio)'
  if (typeof value === 'boolean') return booleanText(field, value)
  if (typeof value === 'number') return value.toLocaleString('pt-BR') + (periods.has(field) ? ' dias' : '')
  if (typeof value === 'string') return textOf(field, value)
  if (Array.isArray(value)) {
    if (value.length === 0) return '(vazio)'
    const isDays = field === 'days' || field === 'daysOff'
    if (field === 'differentDays') return value.map(dayText).join('; ')
    return value
      .map((one: unknown) => (isDays ? (weekdays[Number(one)] ?? String(one)) : valueText(field, one)))
      .join(value.some((one) => typeof one === 'object') ? '; ' : ', ')
  }
  return Object.entries(value)
    .filter(([name]) => partNames[name] !== undefined)
    .map(([name, part]) => `${partNames[name]}: ${valueText(name, part)}`)
    .join(', ')
}

/** 'sáb 08:00–12:00, sem almoço' */
function dayText({ day, start, end, lunch }: DifferentDay): string {
  const hours = isWholeDay({ start, end }) ? '24 horas' : `${start}–${end}`
  const pause =
    lunch === 'usual' ? '' : lunch === 'none' ? ', sem almoço' : `, almoço ${lunch.start}–${lunch.end}`
  return `${weekdays[day]} ${hours}${pause}`
}

function booleanText(field: string, value: boolean): string {
  if (flagNames.has(field) || settingName(field) !== undefined) return value ? 'ligada' : 'desligada'
  return value ? 'sim' : 'não'
}

function textOf(field: string, text: string): string {
  if (field === 'category') return categoryLabel(text)
  if (field === 'phone') return formatPhone(text)
  return labelled[field]?.[text] ?? text
}
