import type { MessageKind, RichKind } from '#simulator/control-api.ts'
import type { ChatMessage } from '#simulator/control-views.ts'

export const kindLabels: Record<MessageKind, string> = {
  text: 'Mensagem',
  image: 'Foto',
  video: 'Vídeo',
  audio: 'Áudio',
  document: 'Documento',
  sticker: 'Figurinha',
  location: 'Localização',
  reaction: 'Reação',
}

const richLabels: Record<RichKind, string> = {
  contact: 'Contato',
  listReply: 'Resposta da lista',
  buttonReply: 'Resposta do botão',
  templateReply: 'Resposta do modelo',
  interactiveReply: 'Resposta do formulário',
  poll: 'Enquete',
  liveLocation: 'Localização em tempo real',
  viewOncePlaceholder: 'Mensagem de visualização única',
  order: 'Pedido',
  product: 'Produto',
  groupInvite: 'Convite para grupo',
  unknown: 'Mensagem de tipo desconhecido',
}

/** The name of a message's kind; a kind unknown to this page is shown by its identifier. */
export function kindName({ kind, rich, round, gif, voice }: ChatMessage): string {
  if (rich) return richLabels[rich.kind] ?? (rich as { kind: string }).kind
  if (round) return 'Recado de vídeo'
  if (gif) return 'GIF'
  return voice === false ? 'Arquivo de áudio' : (kindLabels[kind] ?? kind)
}
