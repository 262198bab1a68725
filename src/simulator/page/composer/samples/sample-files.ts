const stickerPx = 512

/** A smiling parcel on a transparent background. */
export async function sampleSticker(): Promise<Blob> {
  const canvas = new OffscreenCanvas(stickerPx, stickerPx)
  const draw = canvas.getContext('2d')
  if (!draw) throw new Error('O navegador não desenhou a figurinha')
  const fill = (colour: string, x: number, y: number, w: number, h: number) => {
    draw.fillStyle = colour
    draw.beginPath()
    draw.roundRect(x, y, w, h, 28)
    draw.fill()
  }
  fill('#ffffff', 56, 96, 400, 360)
  fill('#b07c4a', 72, 112, 368, 328)
  fill('#f0dcb6', 216, 112, 80, 120)
  draw.fillStyle = '#3e2f24'
  for (const x of [176, 336]) {
    draw.beginPath()
    draw.arc(x, 280, 22, 0, 2 * Math.PI)
    draw.fill()
  }
  draw.lineWidth = 16
  draw.lineCap = 'round'
  draw.strokeStyle = '#3e2f24'
  draw.beginPath()
  draw.arc(256, 310, 70, 0.15 * Math.PI, 0.85 * Math.PI)
  draw.stroke()
  return canvas.convertToBlob({ type: 'image/webp' })
}

/** A hand-written PDF of one line; readers insist on the cross-reference table. */
export function samplePdf(): File {
  const text = 'BT /F1 24 Tf 72 720 Td (Nota fiscal 48.213) Tj ET'
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R ' +
      '/Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let body = '%PDF-1.4\n'
  const places = objects.map((object, index) => {
    const at = body.length
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}`
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`
  return new File([body + table + trailer], 'nota-fiscal-48213.pdf', { type: 'application/pdf' })
}
