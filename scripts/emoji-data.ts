import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

// Builds the emoji picker's data from the Portuguese part of `emojibase-data`:
//   npm pack emojibase-data@17.0.0 && tar xzf emojibase-data-17.0.0.tgz
//   node scripts/emoji-data.ts package
// The package has tens of megabytes in all languages and only one file is needed, so it is not a dependency.
// See docs/decisions/0016.

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

/** The Unicode group of skin tones and hair, which are no emojis on their own. */
const components = 2
const tones = [1, 2, 3, 4, 5]

/**
 * The form that Unicode recommends for interchange: the package adds a needless variation selector to some.
 */
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
