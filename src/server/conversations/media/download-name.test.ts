import { expect, test } from 'vitest'
import { downloadName } from './download-name.ts'

const sentAt = new Date('2026-11-28T12:39:10Z')

test.each([
  ['image', 'image/jpeg', 'Foto 2026-11-28 09.39.jpeg'],
  ['image', 'image/heic', 'Foto 2026-11-28 09.39.heic'],
  ['image', 'image/svg+xml', 'Foto 2026-11-28 09.39'],
  ['video', 'video/mp4', 'Vídeo 2026-11-28 09.39.mp4'],
  ['video', 'video/quicktime', 'Vídeo 2026-11-28 09.39.mov'],
  ['audio', 'audio/ogg; codecs=opus', 'Áudio 2026-11-28 09.39.ogg'],
  ['audio', 'audio/mp4', 'Áudio 2026-11-28 09.39.m4a'],
  ['audio', 'audio/mpeg', 'Áudio 2026-11-28 09.39.mp3'],
  ['sticker', 'image/webp', 'Figurinha 2026-11-28 09.39.webp'],
  ['document', 'application/pdf', 'Documento 2026-11-28 09.39.pdf'],
  ['document', 'application/octet-stream', 'Documento 2026-11-28 09.39'],
] as const)('a nameless %s (%s) is downloaded under the name %s', (messageType, mimeType, name) => {
  expect(downloadName({ fileName: null, messageType, sentAt }, mimeType, 'America/Sao_Paulo')).toBe(name)
})

test.each([
  ['nota.pdf', 'application/pdf', 'nota.pdf'],
  ['nota', 'application/pdf', 'nota.pdf'],
  ['ata.2026 final', 'application/pdf', 'ata.2026 final.pdf'],
  ['IMG_1.MOV', 'video/quicktime', 'IMG_1.MOV'],
  ['leia', 'application/octet-stream', 'leia'],
])('a file named %s (%s) is downloaded as %s', (fileName, mimeType, name) => {
  expect(downloadName({ fileName, messageType: 'document', sentAt }, mimeType, 'America/Sao_Paulo')).toBe(
    name,
  )
})

test('the time in the name of a file is that of the zone of the installation', () => {
  const photo = { fileName: null, messageType: 'image', sentAt } as const
  expect(downloadName(photo, 'image/jpeg', 'America/Manaus')).toBe('Foto 2026-11-28 08.39.jpeg')
})
