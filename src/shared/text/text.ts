// Portuguese texts of both sides: errors by code, labels of enumerations.

/** Those that the login needs, which loads no others. */
export const loginTexts = {
  'auth.invalid_credentials': 'Usuario ou senha invalido tente novamente',
  'auth.blocked': 'Usuario bloqueado apos 3 tentativas incorretas. Entre em contato com o administrador.',
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

export const errorTexts = {
  ...loginTexts,
  ...fileTexts,
  'request.invalid': 'Dados inválidos',
  'request.not_found': 'Recurso não encontrado',
  'request.too_large': 'O conteúdo enviado é grande demais',
  'request.cross_origin': 'Pedido recusado: origem não permitida',
  'request.failed': 'Erro interno. Tente novamente.',
  'request.too_many': 'Muitas tentativas recusadas. Aguarde um minuto e tente novamente.',
  'request.unavailable': 'Serviço temporariamente indisponível. Tente novamente.',
  'auth.required': 'Sessão expirada. Faça login para continuar.',
  'auth.forbidden': 'Você não tem permissão para realizar esta ação.',
  'auth.too_many_attempts': 'Conta temporariamente bloqueada. Tente novamente mais tarde.',
  'users.not_found': 'Usuário não encontrado.',
  'users.username_taken': 'Já existe um usuário com este username.',
  'users.email_taken': 'Já existe um usuário com este email.',
  'users.self': 'Você não pode bloquear, desativar, excluir nem rebaixar a si mesmo.',
  'users.last_admin': 'Deve restar pelo menos um administrador ativo.',
  'permissions.exists': 'As permissões desta pessoa já foram personalizadas. Abra de novo e confira.',
  'permissions.of_admin': 'Um administrador tem todas as permissões.',
  'users.common_password': 'Esta senha é comum e fácil de adivinhar. Escolha outra.',
  'auth.code_required': 'Digite o código do seu aplicativo de verificação.',
  'auth.wrong_code': 'Código incorreto ou já usado. Espere o próximo e tente novamente.',
  'auth.reauthenticate': 'Confirme sua senha para continuar.',
  'auth.not_confirmed': 'Senha ou código incorreto.',
  'auth.entry_pending': 'Antes de continuar, conclua o seu acesso.',
  'profile.wrong_password': 'A senha atual não confere.',
  'profile.same_password': 'Escolha uma senha diferente da atual.',
  'profile.picture_kind': 'A foto deve ser JPG ou PNG, de no máximo 4096 × 4096 pontos.',
  'profile.picture_too_large': 'A foto deve ter no máximo 2 MB.',
  'second_factor.is_on': 'A verificação em duas etapas já está ativa.',
  'second_factor.is_off': 'A verificação em duas etapas não está ativa.',
  'second_factor.is_duty': 'A verificação em duas etapas é obrigatória para o seu perfil.',
  'sessions.not_found': 'Sessão não encontrada.',
  'conversations.not_found': 'Conversa não encontrada',
  'conversations.queue_empty': 'Não há conversas na fila.',
  'conversations.completed': 'Esta conversa já foi finalizada.',
  'conversations.taken': 'A conversa já está com {name}.',
  'conversations.changed': 'A conversa mudou enquanto você agia. Confira e tente novamente.',
  'conversations.target_unavailable': 'O operador escolhido não está disponível.',
  'messages.not_found': 'Mensagem não encontrada',
  'messages.not_retryable': 'Esta mensagem não pode ser reenviada.',
  'messages.not_reactable': 'Só se reage a mensagens que já chegaram ao WhatsApp.',
  'messages.not_yours': 'Só quem enviou a mensagem pode mudá-la.',
  'messages.not_editable': 'Só se editam textos e legendas que não foram apagados.',
  'messages.not_deletable': 'Esta mensagem não pode ser apagada.',
  'messages.edit_too_late': 'O WhatsApp só deixa editar até 15 minutos depois do envio.',
  'messages.delete_too_late': 'O WhatsApp só deixa apagar para todos até 60 horas depois do envio.',
  'messages.not_forwardable': 'Esta mensagem não pode ser encaminhada.',
  'messages.already_sent': 'A mensagem já foi enviada.',
  'messages.undone': 'Este envio foi desfeito.',
  'messages.under_way': 'A mensagem está sendo enviada. Tente novamente em um instante.',
  'messages.change_refused': 'O WhatsApp não aceitou a mudança. A mensagem continua como estava.',
  'media.not_found': 'Arquivo não encontrado',
  'media.unavailable': 'O arquivo não está disponível no momento. Tente novamente.',
  'media.bad_range': 'O trecho pedido não existe no arquivo.',
  'media.not_shown': 'Este arquivo não pode ser mostrado aqui, só baixado.',
  'media.too_large_here': 'O arquivo é grande demais para ser aberto aqui. Veja no celular.',
  'media.missing': 'Escolha um arquivo para enviar.',
  'contacts.not_found': 'Contato não encontrado',
  'contacts.blocked': 'O contato está bloqueado.',
  'contacts.changed': 'Um colega mudou este contato enquanto você editava.',
  'contacts.phone_taken': 'Este telefone já é do contato {name}.',
  'contacts.phone_in_use':
    'O telefone não muda durante uma conversa aberta: as respostas iriam para outro número.',
  'contacts.category_not_found': 'Categoria não encontrada',
  'companies.not_found': 'Empresa não encontrada',
  'companies.inactive': 'A empresa está inativa.',
  'companies.duplicate': 'Já existe uma empresa com este nome.',
  'settings.changed': '{name} mudou estas configurações enquanto você editava.',
  'gateway.not_configured': 'O gateway do WhatsApp não está configurado.',
  'gateway.unreachable': 'Não foi possível conectar ao gateway: {reason}',
  'gateway.duplicate': 'Já existe uma conexão com este nome de instância.',
  'gateway.address_refused': 'O endereço do gateway não é permitido. Libere-o em GATEWAY_ALLOWED_HOSTS.',
  'gateway.weak_key': 'Esta chave é pública e conhecida. Troque a chave no servidor do gateway.',
  'gateway.bad_key': 'A chave da API tem caracteres que não podem ser enviados.',
  'gateway.key_refused': 'A chave foi recusada pelo gateway',
  'gateway.key_needed': 'O endereço é de outro servidor: informe a chave da API de novo.',
  'gateway.not_found': 'Configuração do gateway não encontrada',
} as const

export type ErrorCode = keyof typeof errorTexts

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

/** Shown instead of content that the console does not support. */
export const unsupportedMessage = 'Mensagem não suportada'

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

/** The line for an act on a conversation. */
export function actText(who: string, act: string, to = ''): string {
  switch (act) {
    case 'taken':
      return `${who} assumiu a conversa`
    case 'assigned':
      return `${who} atribuiu a conversa a ${to}`
    case 'returned':
      return `${who} devolveu a conversa à fila`
    case 'transferred':
      return `${who} transferiu a conversa para ${to}`
    case 'distributed':
      return `A conversa foi distribuída para ${to}`
    case 'closed_by_inactivity':
      return 'Atendimento encerrado por inatividade'
    default:
      return `${who} finalizou o atendimento`
  }
}

/** Why the distribution chose an operator among those available. */
export function reasonText(reason: {
  among: number
  active: number
  waiting: number
  capacity: number
}): string {
  const open = reason.active === 1 ? '1 conversa aberta' : `${reason.active} conversas abertas`
  const among =
    reason.among === 1 ? 'único operador livre' : `menor carga entre ${reason.among} operadores livres`
  return (
    `Esta era a conversa que esperava há mais tempo. No momento: ${among}, com ${open} ` +
    `e ${reason.waiting} de ${reason.capacity} aguardando resposta.`
  )
}

/** Why a message was not sent, by the code stored in the outbox. */
export const failureTexts = {
  not_on_whatsapp: 'Número sem WhatsApp',
  gateway_refused_key: 'O gateway recusou a chave de acesso',
  too_large: 'Arquivo grande demais para o WhatsApp',
  invalid: 'O gateway recusou a mensagem',
  unconfirmed: 'Não foi possível confirmar o envio; confira no celular',
  rejected: 'O WhatsApp não entregou a mensagem',
  not_configured: 'O gateway do WhatsApp não está configurado',
  unreachable: 'O gateway não respondeu',
  cancelled: 'Envio cancelado',
  file_missing: 'O arquivo não está mais guardado',
} as const
export type FailureReason = keyof typeof failureTexts

/** Results of gateway calls that have no error text of their own. */
export const gatewayTexts = {
  connected: 'Conectado',
  silent: 'O gateway não respondeu',
  noAnswer: 'O endereço não respondeu ({code}).',
  answered: 'resposta {status}',
  somethingElse: 'a resposta não é de uma Evolution API',
  checkKey: 'Confira a chave da API: é a AUTHENTICATION_API_KEY do servidor da Evolution API.',
  checkAddress: 'Confira se o endereço é o da Evolution API.',
  webhookSet: 'Webhook configurado',
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
