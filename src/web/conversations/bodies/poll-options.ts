import type { Message } from '#shared/messages/messages.ts'

type Side = Message['votes'][number]['from']

/** The options of a poll and who has chosen each; votes for options that are not listed come last. */
export function pollOptions({ metadata, votes }: Pick<Message, 'metadata' | 'votes'>): {
  option: string
  by: Side[]
}[] {
  const offered = metadata.poll?.options ?? []
  const known = new Set(offered)
  const others = new Set(votes.flatMap((vote) => vote.options).filter((option) => !known.has(option)))
  return [...offered, ...others].map((option) => ({
    option,
    by: [...new Set(votes.filter((vote) => vote.options.includes(option)).map((vote) => vote.from))],
  }))
}
