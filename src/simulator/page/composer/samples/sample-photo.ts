const width = 640
const height = 480
const scenes = [
  { sky: '#f6d9a8', wall: '#c98f5a', box: '#a46a3a', tape: '#e9cfa6' },
  { sky: '#cfe3ea', wall: '#7f9aa3', box: '#8a6a48', tape: '#e5d3ae' },
  { sky: '#e5d7ef', wall: '#9a86ab', box: '#b07c4a', tape: '#f0dcb6' },
]

/** A drawn photo of a parcel at a door; each is a little different. */
export async function samplePhoto(): Promise<File> {
  const canvas = new OffscreenCanvas(width, height)
  const draw = canvas.getContext('2d')
  if (!draw) throw new Error('O navegador não desenhou a foto')
  const [turn = 0, dice = 0] = crypto.getRandomValues(new Uint8Array(2))
  const { sky, wall, box, tape } = scenes[turn % scenes.length] ?? scenes[0]!
  const fill = (colour: string, x: number, y: number, w: number, h: number) => {
    draw.fillStyle = colour
    draw.fillRect(x, y, w, h)
  }
  fill(sky, 0, 0, width, height)
  fill(wall, 0, 330, width, 150)
  fill('#5b4636', 70, 60, 190, 300)
  fill('#3e2f24', 84, 76, 162, 284)
  fill('#d8b25a', 222, 210, 12, 26)
  const left = 300 + (dice % 60)
  fill(box, left, 230, 220, 160)
  fill(tape, left + 92, 230, 36, 160)
  fill('#ffffff', left + 18, 262, 64, 44)
  draw.fillStyle = '#333333'
  for (let line = 0; line < 4; line += 1) draw.fillRect(left + 24, 270 + line * 9, 52 - line * 9, 3)
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.85 })
  return new File([blob], 'encomenda.jpg', { type: 'image/jpeg' })
}
