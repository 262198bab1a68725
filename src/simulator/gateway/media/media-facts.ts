/** What Evolution derives from a file on its own. */

const mimetypes: Record<string, string> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  wav: 'audio/wav',
  pdf: 'application/pdf',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  zip: 'application/zip',
  csv: 'text/csv',
  txt: 'text/plain',
}

/**
 * The mimetype Evolution derives from the file name, ignoring the caller's: 'false' for an unknown extension.
 */
export function mimetypeOf(fileName: string): string {
  return mimetypes[fileName.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'false'
}

export function extensionOf(mimetype: string): string {
  const plain = mimetype.split(';')[0]?.trim() ?? ''
  // Evolution names voice messages .oga.
  if (plain === 'audio/ogg') return 'oga'
  return Object.entries(mimetypes).find(([, type]) => type === plain)?.[0] ?? 'bin'
}

/** Base64 as Evolution validates it: no `data:` prefix, no line breaks, padded. */
export function isBase64(text: string): boolean {
  return text.length > 0 && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text)
}

/** A URL as Evolution validates it: the host needs a dot. */
export function isUrl(text: string): boolean {
  return /^https?:\/\/[^/\s]+\.[^/\s]+/.test(text)
}

/** Length of an Ogg Opus recording from its last granule position; 1 when it is not Ogg. */
export function secondsOfOgg(base64: string): number {
  const bytes = Buffer.from(base64, 'base64')
  const last = bytes.lastIndexOf('OggS')
  if (last === -1 || last + 14 > bytes.length) return 1
  return Math.max(1, Math.round(Number(bytes.readBigUInt64LE(last + 6)) / 48_000))
}
