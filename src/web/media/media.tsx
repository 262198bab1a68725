import { onDemand } from '#web/ui/on-demand.tsx'

export const Lightbox = onDemand(async () => (await import('./lightbox.tsx')).Lightbox)
export { clock } from './clock.ts'
export { AudioPlayer } from './audio-player.tsx'
export { MediaFailure } from './media-failure.tsx'
export { takeTheFloor } from './playback.ts'
export { useLoading } from './use-loading.ts'
export type { Recorded } from '#web/media/voice/use-recorder.ts'
export const VoiceRecorder = onDemand(
  async () => (await import('#web/media/voice/voice-recorder.tsx')).VoiceRecorder,
)
