import type { MessageKind } from '#simulator/control-api.ts'

/** What stands for a message without text, in quotes and above the composer. */
export const kindWords: Record<MessageKind, string> = {
  text: 'Mensagem',
  image: 'Foto',
  video: 'Vídeo',
  audio: 'Áudio',
  document: 'Documento',
  sticker: 'Figurinha',
  location: 'Localização',
  reaction: 'Reação',
}
