import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

// Makes the emoji picker's data out of the Portuguese part of `emojibase-data`:
//   npm pack emojibase-data@17.0.0 && tar xzf emojibase-data-17.0.0.tgz
//   node scripts/emoji-data.ts package
// The package holds every language of the world (tens of megabytes), of which one file is needed: see docs/decisions.

const variant = z.object({ emoji: z.string(), tone: z.union([z.number(), z.array(z.number())]) })
const source = z.array(
  z.object({
    emoji: z.string(),
    label: z.string(),
    tags: z.array(z.string()).default([]),
    group: z.number().optional(),
    order: z.number().optional(),
    skins: z.array(variant).default([]),
  }),
)

/** Of the groups of Unicode: single skin tones and hair are no emojis of their own. */
const components = 2
const tones = [1, 2, 3, 4, 5]

/** As Unicode recommends it for interchange; the package writes some with a sign that says nothing new. */
const recommended = (emoji: string) =>
  /^\p{RGI_Emoji}$/v.test(emoji) ? emoji : emoji.replaceAll('\uFE0F', '')

const folder = process.argv[2]
if (folder === undefined) throw new Error('say where the unpacked package lies')
const all = source.parse(JSON.parse(readFileSync(join(folder, 'pt', 'data.json'), 'utf8')))
const lines = all
  .filter(({ group }) => group !== undefined && group !== components)
  .toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0))
  .map(({ emoji, label, tags, group, skins }) => {
    const toned = tones.map((tone) => skins.find((skin) => skin.tone === tone)?.emoji ?? '')
    const row = [recommended(emoji), group, label, tags.join(' ')]
    return JSON.stringify(toned.includes('') ? row : [...row, toned.join(' ')])
  })
const target = join(import.meta.dirname, '..', 'src', 'web', 'conversations', 'emoji', 'emojis.json')
writeFileSync(target, `[\n${lines.join(',\n')}\n]\n`)
console.log(`${lines.length} emojis`)
