import { showNumber } from '#simulator/world/jids.ts'
import type { Message, Phone } from '#simulator/world/state.ts'

/** Portuguese descriptions for the page's log. */

const kindLabels = {
  text: '',
  image: 'foto',
  video: 'vídeo',
  audio: 'áudio',
  document: 'documento',
  sticker: 'figurinha',
  location: 'localização',
  reaction: 'reação',
} as const

const graphemes = new Intl.Segmenter('pt-BR', { granularity: 'grapheme' })

function clip(text: string, length = 60) {
  const line = text.replace(/\s+/g, ' ')
  if (line.length <= length) return line
  const letters = Array.from(graphemes.segment(line), ({ segment }) => segment)
  return letters.length > length ? `${letters.slice(0, length - 1).join('')}…` : line
}

/** `3EB0C4…A19F` */
export function shortId(id: string) {
  return id.length > 12 ? `${id.slice(0, 6)}…${id.slice(-4)}` : id
}

const richLabels = {
  contact: 'contato',
  listReply: 'resposta da lista',
  buttonReply: 'resposta do botão',
  templateReply: 'resposta do botão',
  interactiveReply: 'resposta do formulário',
  poll: 'enquete',
  liveLocation: 'localização ao vivo',
  viewOncePlaceholder: 'mensagem de visualização única',
  order: 'pedido',
  product: 'produto',
  groupInvite: 'convite de grupo',
  unknown: 'mensagem de tipo desconhecido',
} as const

function labelOf({ kind, rich, act, voice, round, gif }: Message): string {
  if (act) return act.kind === 'vote' ? 'voto' : act.pinned ? 'mensagem fixada' : 'mensagem desafixada'
  if (rich) return richLabels[rich.kind]
  if (round) return 'recado de vídeo'
  if (gif) return 'GIF'
  return voice === false ? 'arquivo de áudio' : kindLabels[kind]
}

function contentSummary(message: Message): string {
  const word = labelOf(message)
  if (message.kind === 'reaction' && message.text === '') return 'reação retirada'
  const text = message.text === '' ? '' : `“${clip(message.text)}”`
  return [word, text].filter(Boolean).join(' ')
}

export function describePhoneMessage(phone: Phone | undefined, message: Message) {
  return `${phone?.name ?? message.remoteJid}: ${contentSummary(message)}`
}

export function describeCompanyMessage(ownerName: string | null, phone: Phone | undefined, message: Message) {
  const recipient = phone ? showNumber(phone.number) : message.remoteJid
  return `${ownerName ?? 'Empresa'} para ${recipient}: ${contentSummary(message)}`
}

export function inSeconds(ms: number) {
  return `${(ms / 1000).toLocaleString('pt-BR', { maximumFractionDigits: 1 })} s`
}
