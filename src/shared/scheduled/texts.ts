import { always, asked } from '#shared/text/rights/controls.ts'

/** Why a request is refused: its HTTP status, and what is said. */
export const errors = {
  'scheduled.not_found': [404, 'Mensagem agendada não encontrada'],
  'scheduled.in_past': [422, 'Escolha um horário que ainda não passou.'],
  'scheduled.too_far': [422, 'Uma mensagem pode ser agendada para até um ano à frente.'],
  'scheduled.never_open': [
    422,
    'O horário de atendimento não tem mais aberturas. Desmarque “Só em horário de atendimento”.',
  ],
  'scheduled.no_value': [
    422,
    'Não há o que pôr em {fields} nesta conversa. Troque por palavras antes de agendar.',
  ],
  'scheduled.too_many': [409, 'Já há {most} mensagens agendadas nesta conversa. Cancele uma antes.'],
  'scheduled.changed': [409, 'Um colega mudou esta mensagem agendada enquanto você editava.'],
  'scheduled.sent': [409, 'Esta mensagem agendada já foi enviada.'],
  'scheduled.cancelled': [409, 'Esta mensagem agendada já foi cancelada.'],
  'scheduled.not_yours': [
    403,
    'Só quem agendou, quem atende a conversa, quem lidera o setor ou um supervisor pode mudar esta mensagem.',
  ],
} as const

/** What its screens offer. */
export const controls = {
  '/agendadas': [
    asked('overseeScheduled', 'Todas'),
    asked('schedule', 'Editar'),
    asked('schedule', 'Cancelar'),
    asked('schedule', 'Enviar agora'),
    asked('schedule', 'Tentar de novo'),
  ],
  '/chat': [always('schedule', 'Agendar')],
}

/** What its fields are called where the audit log shows a change. */
export const fields = {
  sendAt: 'Horário de envio',
  cancelOnAnswer: 'Cancelar se o cliente responder',
  onlyOpen: 'Só em horário de atendimento',
}

/** What the calls under a path are about, for the sentence of a refused one. */
export const areas = {
  '/api/scheduled-messages': 'Mensagens agendadas',
}
