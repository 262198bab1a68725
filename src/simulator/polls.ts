import { phoneJid } from './jids.ts'
import type { PollUpdate } from './payloads.ts'
import type { Message } from './state.ts'
import { instanceOf, phoneOf } from './world.ts'
import type { World } from './world.ts'

/** How polls stand: every side's last vote counts. */

const votesOn = (world: World, poll: Message): Message[] =>
  (world.state.chats.get(poll.phoneId ?? '') ?? [])
    .map((waId) => world.state.messages.get(waId))
    .filter((message) => message !== undefined)
    .filter((message) => message.act?.kind === 'vote' && message.targetId === poll.waId)

/** What each side chose last. */
export const pollVotes = (world: World, poll: Message): { phone: string[]; company: string[] } => {
  const votes: { phone: string[]; company: string[] } = { phone: [], company: [] }
  for (const { author, act } of votesOn(world, poll))
    if (act?.kind === 'vote') votes[author === 'phone' ? 'phone' : 'company'] = act.options
  return votes
}

/** Every option with the jids that chose it, `vote` counted as the last one. */
export const pollUpdatesAfter = (world: World, poll: Message, vote: Message): PollUpdate[] => {
  const phone = phoneOf(world, vote)
  const jids = {
    phone: phone ? phoneJid(phone.number) : vote.remoteJid,
    company: phoneJid(instanceOf(world, vote.instance).ownerNumber ?? ''),
  }
  const votes = pollVotes(world, poll)
  if (vote.act?.kind === 'vote') votes[vote.author === 'phone' ? 'phone' : 'company'] = vote.act.options
  const options = poll.rich?.kind === 'poll' ? poll.rich.options : []
  return options.map((name) => ({
    name,
    voters: (['phone', 'company'] as const)
      .filter((side) => votes[side].includes(name))
      .map((side) => jids[side]),
  }))
}
