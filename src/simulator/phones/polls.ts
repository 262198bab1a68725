import { phoneJid } from '#simulator/world/jids.ts'
import type { PollUpdate } from '#simulator/webhooks/payloads.ts'
import type { Message } from '#simulator/world/state.ts'
import { instanceOf, phoneOf, type World } from '#simulator/world/world.ts'

/** The state of polls: the last vote of each side counts. */

function votesOn(world: World, poll: Message): Message[] {
  return (world.state.chats.get(poll.phoneId ?? '') ?? [])
    .map((waId) => world.state.messages.get(waId))
    .filter((message) => message !== undefined)
    .filter((message) => message.act?.kind === 'vote' && message.targetId === poll.waId)
}

/** The current choice of each side. */
export function pollVotes(world: World, poll: Message): { phone: string[]; company: string[] } {
  const votes: { phone: string[]; company: string[] } = { phone: [], company: [] }
  for (const { author, act } of votesOn(world, poll))
    if (act?.kind === 'vote') votes[author === 'phone' ? 'phone' : 'company'] = act.options
  return votes
}

/**
 * Every option, with the jid of the voter at those chosen. The gateway decrypts this one vote and reports no
 * other.
 */
export function pollUpdatesOf(world: World, poll: Message, vote: Message): PollUpdate[] {
  const phone = phoneOf(world, vote)
  const voter =
    vote.author === 'phone'
      ? phone
        ? phoneJid(phone.number)
        : vote.remoteJid
      : phoneJid(instanceOf(world, vote.instance).ownerNumber ?? '')
  const chosen = vote.act?.kind === 'vote' ? vote.act.options : []
  const options = poll.rich?.kind === 'poll' ? poll.rich.options : []
  return options.map((name) => ({ name, voters: chosen.includes(name) ? [voter] : [] }))
}
