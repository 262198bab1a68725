import { asked } from '#shared/text/rights/controls.ts'

/** Why a request is refused: its HTTP status, and what is said. */
export const errors = {
  'quick_replies.not_found': [404, 'Resposta rápida não encontrada'],
  'quick_replies.not_yours': [403, 'As respostas deste setor são mudadas por quem é responsável por ele.'],
  'quick_replies.duplicate': [409, 'Já existe o atalho /{shortcut} aqui'],
  'quick_replies.changed': [409, 'Um colega mudou esta resposta enquanto você editava.'],
  'quick_replies.too_many': [409, 'Há {most} respostas aqui, e não cabem mais. Exclua uma que não se usa.'],
  'quick_replies.empty': [422, 'Escreva o texto, ou anexe um arquivo'],
  'quick_replies.no_file': [422, 'O arquivo não está mais guardado. Anexe-o de novo.'],
  'quick_replies.no_voice': [422, 'Só um áudio pode ir como mensagem de voz.'],
} as const

/** What its screens offer. */
export const controls = {
  '/settings': [asked('manageSectorReplies', 'Quem usa')],
  '/settings-advanced': [asked('manageSectorReplies', 'Quem usa')],
}

/** What the calls under a path are about, for the sentence of a refused one. */
export const areas = {
  '/api/quick-replies': 'Respostas rápidas',
}
