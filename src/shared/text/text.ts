// Portuguese texts of both sides: labels of enumerations, and what the browser says on its own.

/** Those that the login needs, which loads no others. */
export const loginTexts = {
  'auth.invalid_credentials': 'Usuario ou senha invalido tente novamente',
  'auth.blocked': 'Usuario bloqueado apos 3 tentativas incorretas. Entre em contato com o administrador.',
  'auth.blocked_by_person': 'Usuario bloqueado. Entre em contato com o administrador.',
  'auth.locked': 'Conta temporariamente bloqueada. Tente novamente mais tarde.',
  'auth.blank': 'Por favor, preencha usuário e senha',
} as const

/** Those that the browser says of a file before it is sent. */
export const fileTexts = {
  'media.too_large': 'O arquivo deve ter no máximo 50MB',
  'media.blocked':
    'Extensão .{ext} não é permitida por motivos de segurança. ' +
    'Use apenas imagens, vídeos, áudios ou documentos PDF/Word.',
  'media.empty': 'O arquivo está vazio.',
} as const

export const roleLabels = { admin: 'Administrador', supervisor: 'Supervisor', operator: 'Operador' } as const
export const waitingForLabels = { client: 'Aguardando Cliente', operator: 'Aguardando Operador' } as const
export const unknownWaitingFor = 'Status Indefinido'
export const subStatusLabels = { FILA: '📱 WhatsApp', OPERADOR: '👤 Operador' } as const
/** Normal shows no badge. */
export const priorityLabels = { high: 'Alta', normal: 'Normal', low: 'Baixa' } as const
export const initiatedByLabels = { contact: 'Contato', operator: 'Operador' } as const

export const unknownContact = 'Contato Desconhecido'
/** The displayed name of a category. 'general' is stored until somebody chooses one. */
export function categoryLabel(stored: string): string {
  if (stored === '') return 'Sem categoria'
  return stored === 'general' ? 'Geral' : stored
}
export const hiddenNumber = 'Número oculto'
export const noMessages = 'Nenhuma mensagem ainda'

/** The divider above unread messages. */
export function unreadMessages(count: number): string {
  return count === 1 ? '1 mensagem não lida' : `${count} mensagens não lidas`
}

/** Shown for a quoted text of ours that not everybody sees. */
export const automaticMessage = 'Mensagem automática'

/** Beside a message whose new text the gateway could not read. */
export const unreadEdit = 'editada no celular: o texto novo não chegou'

/** Shown instead of content that the console does not support. */
export const unsupportedMessage = 'Mensagem não suportada'
/** Of a quote of which neither a text nor a kind is known. */
export const quoteWithoutText = 'Mensagem sem texto'

/** The line that administrators see when somebody opens a conversation. */
export function viewedBy(name: string) {
  return `${name} visualizou a conversa`
}

/** The note in a conversation whose messages were moved into another one. */
export function continuedIn(protocol: string) {
  return `Continua na conversa ${protocol}`
}

/** The line for a client's call. */
export function callText({ isVideo, outcome }: { isVideo: boolean; outcome: string }): string {
  const call = isVideo ? 'Chamada de vídeo' : 'Chamada de voz'
  if (outcome === 'missed') return `${call} perdida`
  return outcome === 'answered' ? `${call} atendida no celular` : call
}

/** Why a message was not sent, by the code stored in the outbox. */
export const failureTexts = {
  not_on_whatsapp: 'Número sem WhatsApp',
  gateway_refused_key: 'O gateway recusou a chave de acesso',
  too_large: 'Arquivo grande demais para o WhatsApp',
  text_too_large: 'Texto grande demais para o gateway',
  invalid: 'O gateway recusou a mensagem',
  unconfirmed: 'Não foi possível confirmar o envio; confira no celular',
  rejected: 'O WhatsApp não entregou a mensagem',
  not_configured: 'O gateway do WhatsApp não está configurado',
  unreachable: 'O gateway não respondeu',
  cancelled: 'Envio cancelado',
  file_missing: 'O arquivo não está mais guardado',
} as const
export type FailureReason = keyof typeof failureTexts

/** Why the gateway does nothing for now: what is asked of it waits, and nothing has left. */
export const hindranceTexts = {
  key: 'o gateway recusou a chave de acesso',
  license: 'a Evolution API precisa de uma licença',
  no_instance: 'a Evolution API não tem a instância do número',
  busy: 'o gateway pediu uma pausa',
  silent: 'o gateway não responde',
  socket: 'a Evolution API está sem conexão com o WhatsApp',
} as const
export type Hindrance = keyof typeof hindranceTexts

/** Why messages of a number in this state wait. */
export const hindranceIn = (state: string | undefined): Hindrance => hindranceOfState[state ?? ''] ?? 'socket'

const hindranceOfState: Readonly<Record<string, Hindrance>> = {
  unauthorized: 'key',
  unlicensed: 'license',
  unreachable: 'silent',
}

/** What a message that waits for the gateway says. */
export const waitText = (hindrance: Hindrance): string =>
  hindrance === 'socket' ? 'aguardando o WhatsApp' : `aguardando: ${hindranceTexts[hindrance]}`

/** Results of gateway calls that have no error text of their own. */
export const gatewayTexts = {
  connected: 'Conectado',
  silent: 'O gateway não respondeu',
  noAnswer: 'O endereço não respondeu ({code}).',
  unknownHost: 'Esse endereço não existe. Confira como está escrito.',
  noLookup: 'Não foi possível procurar esse endereço agora (DNS). Tente de novo.',
  nobodyListens: 'Nada atende nesse endereço e nessa porta. Confira se a Evolution API está ligada.',
  noRoute: 'Este servidor não alcança esse endereço. Confira a rede e o firewall.',
  badCertificate: 'O certificado HTTPS desse endereço não é aceito ({code}).',
  tooLate: 'sem resposta a tempo',
  noReason: 'sem motivo conhecido',
  answered: 'resposta {status}',
  somethingElse: 'a resposta não é de uma Evolution API',
  checkKey: 'Confira a chave da API: é a AUTHENTICATION_API_KEY do servidor da Evolution API.',
  checkAddress: 'Confira se o endereço é o da Evolution API.',
  webhookSet: 'Webhook configurado',
  webhookHeard: 'Configurado com segredo; um evento foi e voltou em {ms} ms',
  webhookUnheard:
    'O gateway aceitou o webhook, mas nenhum evento chegou em {seconds} s. ' +
    'O endereço {address} precisa ser alcançado de onde a Evolution API roda.',
  webhookLater: 'Configurado com segredo. A ida e volta será conferida quando o número estiver conectado.',
  failedAtGateway: 'a Evolution API não conseguiu; veja o log dela',
  socketClosed: 'a Evolution API está sem conexão com o WhatsApp',
  webhookKeyNeeded: 'As mensagens iriam para outro servidor: informe a chave da API de novo.',
  reactionUnconfirmed: 'a reação não foi confirmada',
  editUnconfirmed: 'a edição não foi confirmada',
  deletionUnconfirmed: 'a exclusão não foi confirmada',
} as const

/** Texts for content that the console can only show as text. */
export const describedTexts = {
  order: 'Pedido',
  item: '1 item',
  items: '{count} itens',
  total: 'Total: {amount}',
  product: 'Produto',
  pix: 'Pix',
  pixKey: 'Chave',
  pixCode: 'Código',
  payment: 'Pagamento',
  paymentRequest: 'Pedido de pagamento',
  paymentDeclined: 'Pedido de pagamento recusado',
  paymentCancelled: 'Pedido de pagamento cancelado',
  paymentInvite: 'Convite para pagamentos',
  stickerPack: 'Pacote de figurinhas',
  channelInvite: 'Convite para o canal',
  scheduledCall: 'Chamada agendada',
  groupInvite: 'Convite para um grupo',
  groupInviteNamed: 'Convite para o grupo {name}',
  event: 'Evento',
  cancelledEvent: 'Evento cancelado',
  album: 'Álbum',
  photo: '1 foto',
  photos: '{count} fotos',
  video: '1 vídeo',
  videos: '{count} vídeos',
  and: ' e ',
  voiceCall: 'Chamada de voz',
  videoCall: 'Chamada de vídeo',
  missedCall: '{call} perdida',
  refusedCall: '{call} recusada',
} as const
