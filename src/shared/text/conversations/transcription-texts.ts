import type { TranscriptionFailure } from '#shared/assistant/transcription.ts'

/** Above the words of a sound, wherever they are shown. */
export const transcriptionLabel = 'Transcrição automática'

/** Of a sound in which nothing was understood. */
export const noWords = 'Nenhuma palavra reconhecida'

/** Why a sound has no words, for the team. */
export const transcriptionFailureTexts: Readonly<Record<TranscriptionFailure, string>> = {
  file: 'O áudio não está disponível.',
  too_long: 'O áudio é mais longo que o limite configurado.',
  day_limit: 'Os minutos de hoje acabaram.',
  off: 'A transcrição foi desligada.',
  changed: 'A mensagem mudou enquanto isso.',
  unreachable: 'O servidor não respondeu.',
  bad_answer: 'O servidor não respondeu com uma transcrição.',
  refused: 'O servidor recusou o pedido. Avise um administrador.',
}
