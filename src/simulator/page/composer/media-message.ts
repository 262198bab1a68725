import type { PhoneMessage } from '#simulator/control-api.ts'
import type { Recording } from './use-recorder.ts'

/** Raw base64, as the control API expects it. */
export function base64Of(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve((reader.result as string).replace(/^[^,]*,/, '')))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('O arquivo não foi lido')))
    reader.readAsDataURL(blob)
  })
}

async function sizeOf(blob: Blob): Promise<{ width: number; height: number } | undefined> {
  try {
    const { width, height } = await createImageBitmap(blob)
    return { width, height }
  } catch {
    // The file claims to be a picture and is not; the product must cope with that.
    return undefined
  }
}

/** Converts a chosen file into the message a phone would send. */
export async function fileMessage(file: File, caption: string): Promise<PhoneMessage> {
  const media = { base64: await base64Of(file), ...(file.type && { mimetype: file.type }) }
  const withCaption = { ...media, ...(caption && { caption }) }
  if (file.type.startsWith('image/')) return { kind: 'image', ...withCaption, ...(await sizeOf(file)) }
  if (file.type.startsWith('video/')) return { kind: 'video', ...withCaption }
  if (file.type.startsWith('audio/')) return { kind: 'audio', ...media }
  return { kind: 'document', ...withCaption, fileName: file.name }
}

export async function voiceMessage({ blob, seconds }: Recording): Promise<PhoneMessage> {
  return { kind: 'audio', base64: await base64Of(blob), mimetype: blob.type, seconds }
}
