import type { Recording } from '#simulator/page/composer/use-recorder.ts'

const framesPerSecond = 15
// The user waits for the whole recording.
const seconds = 1
const wanted = ['video/mp4', 'video/webm;codecs=vp8', 'video/webm']

/** A parcel passing on a conveyor belt. `share`: elapsed part of the clip, 0 to 1. */
function drawFrame(draw: CanvasRenderingContext2D, share: number): void {
  const { width, height } = draw.canvas
  draw.fillStyle = '#cfe3ea'
  draw.fillRect(0, 0, width, height)
  draw.fillStyle = '#7f9aa3'
  draw.fillRect(0, height * 0.72, width, height * 0.28)
  const size = height * 0.36
  const left = -size + (width + size) * share
  draw.fillStyle = '#a46a3a'
  draw.fillRect(left, height * 0.72 - size, size, size)
  draw.fillStyle = '#e9cfa6'
  draw.fillRect(left + size * 0.42, height * 0.72 - size, size * 0.16, size)
}

/** A short clip without sound; recording it takes as long as it lasts. */
export function sampleVideo(isSquare: boolean): Promise<Recording> {
  const canvas = document.createElement('canvas')
  canvas.width = isSquare ? 240 : 320
  canvas.height = 240
  const draw = canvas.getContext('2d')
  const mimeType = wanted.find((type) => MediaRecorder.isTypeSupported(type))
  if (!draw || !mimeType) throw new Error('Este navegador não grava vídeos')
  drawFrame(draw, 0)
  const recorder = new MediaRecorder(canvas.captureStream(framesPerSecond), { mimeType })
  const pieces: Blob[] = []
  const start = performance.now()
  const timer = setInterval(() => {
    const share = (performance.now() - start) / (seconds * 1000)
    if (share < 1) return drawFrame(draw, share)
    clearInterval(timer)
    recorder.stop()
  }, 1000 / framesPerSecond)
  return new Promise((resolve) => {
    recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data))
    recorder.addEventListener('stop', () => {
      for (const track of recorder.stream.getTracks()) track.stop()
      resolve({ blob: new Blob(pieces, { type: mimeType.replace(/;.*/, '') }), seconds })
    })
    recorder.start()
  })
}
