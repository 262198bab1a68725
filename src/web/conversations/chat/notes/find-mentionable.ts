import type { Mention } from '#shared/messages/message-metadata.ts'
import type { Mentionable } from '#shared/messages/mentions.ts'
import { fold } from '#shared/text/fold.ts'
import type { PresenceState } from '#shared/users/users.ts'

/** Somebody, or a sector, who may be mentioned, or may not. */
export interface MentionOption {
  mention: Mention
  pictureUrl?: string | null
  /** Of a person. */
  presence?: PresenceState
  /** Of a sector. */
  color?: string
  /** Of a sector: how many of its people would be told now. */
  available?: number
  isOffered: boolean
}

/** More would be no help to whoever looks for one. */
const mostFound = 20

/**
 * Those whose name, or one of its words, begins with what was typed; accents and case do not count. Who may
 * not be mentioned comes last.
 */
export function findMentionable({ people, sectors }: Mentionable, asked: string): MentionOption[] {
  const folded = fold(asked.trim())
  const options: MentionOption[] = [
    ...people.map(({ id, name, pictureUrl, presence, isReader }) => ({
      mention: { userId: id, name },
      pictureUrl,
      presence,
      isOffered: isReader,
    })),
    ...sectors.map(({ id, name, color, available }) => ({
      mention: { sectorId: id, name },
      color,
      available,
      isOffered: true,
    })),
  ]
  const rankOf = ({ mention }: MentionOption) => {
    const name = fold(mention.name)
    if (name.startsWith(folded)) return 0
    return name.split(/\s+/).some((_word, n, words) => words.slice(n).join(' ').startsWith(folded)) ? 1 : 2
  }
  const found = options.map((option) => ({ option, rank: rankOf(option) })).filter(({ rank }) => rank < 2)
  return found
    .toSorted((a, b) => Number(b.option.isOffered) - Number(a.option.isOffered) || a.rank - b.rank)
    .map(({ option }) => option)
    .slice(0, mostFound)
}
