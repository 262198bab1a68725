import { asked } from '#shared/text/rights/controls.ts'

/** Why a request is refused: its HTTP status, and what is said. */
export const errors = {
  'settings.never_opens': [422, 'Com este almoço não sobra nenhum horário de atendimento.'],
  'settings.changed': [409, '{name} mudou estas configurações enquanto você editava.'],
} as const

/** What its screens offer. */
export const controls = {
  '/settings': [
    asked('viewSettings', 'Mensagens automáticas'),
    asked('viewMediaSettings', 'Mídia'),
    asked('editSettings', 'Salvar Mensagens Automáticas'),
    asked('editSettings', 'Salvar Mensagem'),
    asked('manageGateway', 'Evolution API'),
  ],
  '/settings-advanced': [
    asked('manageCategories', 'Categorias'),
    asked('managePauses', 'Pausas'),
    asked('viewPrivacyRequests', 'Pedidos de titulares'),
    asked('editSettings', 'Salvar'),
    asked('manageAssistant', 'IA'),
    asked('manageGateway', 'Evolution API'),
  ],
}

/** What a new working day begins with. */
export const newDayLabels = {
  available: 'Disponível',
  away: 'Ausente',
  kept: 'Como terminou o dia anterior',
} as const

/** When it is quiet. */
export const silenceModeLabels = {
  off: 'Nunca',
  closed: 'Fora do expediente',
  hours: 'Em certos horários',
} as const

/** What the calls under a path are about, for the sentence of a refused one. */
export const areas = {
  '/api/system-settings': 'Configurações',
  '/api/media-settings': 'Configurações',
  '/api/quick-responses': 'Respostas rápidas',
}
