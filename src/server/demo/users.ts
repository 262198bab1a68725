import type { Role } from '#shared/permissions.ts'

/** The users of the demo: a packaging shop in São Paulo. All invented. */

/** Quick responses of the shop. */
export const demoQuickResponses = [
  {
    shortcut: 'segunda-via',
    text: 'Segue a segunda via do boleto, {{contact}}. Qualquer dúvida, é só chamar.',
  },
  {
    shortcut: 'situacao',
    text: 'O pedido de {{company}} está em separação. O protocolo deste atendimento é {{protocol}}.',
  },
  {
    shortcut: 'sem-estoque',
    text: 'Esse item volta ao estoque na próxima semana. Quer que {{operator}} avise você?',
  },
]

export const demoUsers: readonly { username: string; name: string; role: Role }[] = [
  { username: 'admin', name: 'Marina Queiroz', role: 'admin' },
  { username: 'supervisora', name: 'Heloísa Duarte', role: 'supervisor' },
  { username: 'ana', name: 'Ana Beatriz Nogueira', role: 'operator' },
  { username: 'bruno', name: 'Bruno Tavares', role: 'operator' },
  { username: 'carla', name: 'Carla Menezes', role: 'operator' },
  { username: 'diego', name: 'Diego Sampaio', role: 'operator' },
  { username: 'elisa', name: 'Elisa Prates', role: 'operator' },
]
