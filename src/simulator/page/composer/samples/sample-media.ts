import {
  AudioLines,
  CircleDotDashed,
  CirclePlay,
  Clapperboard,
  EyeOff,
  FileText,
  Sticker,
  Video,
} from 'lucide-react'
import { base64Of, fileMessage, voiceMessage } from '#simulator/page/composer/media-message.ts'
import { samplePdf, sampleSticker } from './sample-files.ts'
import { sampleVideo } from './sample-film.ts'
import { sample, type SampleGroup } from './sample-group.ts'
import { samplePhoto } from './sample-photo.ts'
import { sampleVoice } from './sample-voice.ts'

function captioned(caption: string) {
  return caption === '' ? {} : { caption }
}
async function film(isSquare = false) {
  const { blob, seconds } = await sampleVideo(isSquare)
  return { kind: 'video' as const, base64: await base64Of(blob), mimetype: blob.type, seconds }
}

/** Samples that are files. */
export const mediaSamples: SampleGroup = {
  title: 'Mídia',
  items: [
    sample(Video, 'Vídeo', async (typed) => ({ ...(await film()), ...captioned(typed) })),
    sample(Clapperboard, 'GIF', async (typed) => ({ ...(await film()), gif: true, ...captioned(typed) })),
    sample(CirclePlay, 'Recado de vídeo', async () => ({ ...(await film(true)), round: true })),
    sample(Sticker, 'Figurinha', async () => {
      const blob = await sampleSticker()
      return { kind: 'sticker', base64: await base64Of(blob), mimetype: blob.type }
    }),
    sample(AudioLines, 'Arquivo de áudio', async () => ({
      ...(await voiceMessage(sampleVoice())),
      voice: false,
    })),
    sample(FileText, 'Documento', (typed) => fileMessage(samplePdf(), typed)),
    sample(CircleDotDashed, 'Foto de visualização única', async (typed) => ({
      ...(await fileMessage(await samplePhoto(), typed)),
      wrap: 'viewOnceV2',
    })),
    sample(EyeOff, 'Aviso de visualização única', () => ({ kind: 'viewOncePlaceholder' })),
  ],
}
