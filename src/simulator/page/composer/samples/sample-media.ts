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
import type { SampleGroup } from './sample-group.ts'
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
    {
      icon: Video,
      label: 'Vídeo',
      make: async (typed) => ({ ...(await film()), ...captioned(typed) }),
    },
    {
      icon: Clapperboard,
      label: 'GIF',
      make: async (typed) => ({ ...(await film()), gif: true, ...captioned(typed) }),
    },
    {
      icon: CirclePlay,
      label: 'Recado de vídeo',
      make: async () => ({ ...(await film(true)), round: true }),
    },
    {
      icon: Sticker,
      label: 'Figurinha',
      make: async () => {
        const blob = await sampleSticker()
        return { kind: 'sticker', base64: await base64Of(blob), mimetype: blob.type }
      },
    },
    {
      icon: AudioLines,
      label: 'Arquivo de áudio',
      make: async () => ({ ...(await voiceMessage(sampleVoice())), voice: false }),
    },
    { icon: FileText, label: 'Documento', make: (typed) => fileMessage(samplePdf(), typed) },
    {
      icon: CircleDotDashed,
      label: 'Foto de visualização única',
      make: async (typed) => ({ ...(await fileMessage(await samplePhoto(), typed)), wrap: 'viewOnceV2' }),
    },
    {
      icon: EyeOff,
      label: 'Aviso de visualização única',
      make: () => ({ kind: 'viewOncePlaceholder' }),
    },
  ],
}
