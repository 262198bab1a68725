import { addAutomatic, eventOf, farewellOf, transferNotice, withTaking } from './automatic.ts'
import { brazilianDay, dayAfter, dayMs, drawStart, hourOf, minuteMs, talksOf } from './calendar.ts'
import { drawFacts, type Facts, fill } from './facts.ts'
import { type Habit, habits } from './habits.ts'
import { oddTalks } from './odd-talks.ts'
import type { DemoPerson } from '#server/demo/people.ts'
import { feedbacks } from '#server/demo/scripts/phrases.ts'
import { dice as diceOf, type Dice } from './random.ts'
import { billingScenarios } from '#server/demo/scripts/billing.ts'
import { deliveryScenarios } from '#server/demo/scripts/delivery.ts'
import { salesScenarios } from '#server/demo/scripts/sales.ts'
import { workScenarios } from '#server/demo/scripts/work.ts'
import type { Scenario } from '#server/demo/scripts/script.ts'
import { addIncidents } from './incidents.ts'
import { composeTalk } from './talk.ts'
import { type DemoMessage, type DemoTalkRecord, endOf, placeLines } from './timeline.ts'

const historyDays = 90

export const scenarios: readonly Scenario[] = [
  ...salesScenarios,
  ...deliveryScenarios,
  ...billingScenarios,
  ...workScenarios,
]

/** Full names by user name, and the contacts. */
interface Cast {
  fullNames: ReadonlyMap<string, string>
  people: readonly DemoPerson[]
}

interface Memory {
  freeFrom: number
  recent: string[]
}

/**
 * Ninety days of completed conversations, oldest first. The seed and the day of `now` determine everything;
 * the hour of `now` only cuts off what is not completed yet.
 */
export function generateHistory(seed: string, now: Date, cast: Cast): DemoTalkRecord[] {
  const today = brazilianDay(now)
  const memories = cast.people.map((): Memory => ({ freeFrom: 0, recent: [] }))
  const talks: DemoTalkRecord[] = []
  for (let daysAgo = historyDays; daysAgo >= 0; daysAgo--) {
    const day = dayAfter(today, -daysAgo)
    const dice = diceOf(`${seed} ${today} ${day}`)
    const starts = Array.from({ length: talksOf(dice, day, daysAgo) }, () => drawStart(dice, day))
    for (const start of starts.sort((a, b) => a.getTime() - b.getTime())) {
      const talk = makeTalk(dice, cast, memories, start, daysAgo)
      if (talk) talks.push(talk)
    }
  }
  const all = [...talks, ...oddTalks(diceOf(`${seed} odd`), cast.people, today)].sort(byStart)
  return withoutOverlaps(all)
    .filter(({ completedAt }) => completedAt < now)
    .map((talk) => withoutFutureRating(talk, now))
}

function startOf(talk: DemoTalkRecord) {
  return talk.messages[0]?.at.getTime() ?? 0
}
function byStart(a: DemoTalkRecord, b: DemoTalkRecord) {
  return startOf(a) - startOf(b) || a.contact - b.contact
}

/** Drops conversations that overlap another one of the same contact. */
function withoutOverlaps(talks: readonly DemoTalkRecord[]): DemoTalkRecord[] {
  const ends = new Map<number, number>()
  return talks.filter((talk) => {
    if (startOf(talk) <= (ends.get(talk.contact) ?? 0)) return false
    ends.set(talk.contact, talk.completedAt.getTime())
    return true
  })
}

/** Drops a rating that lies after `now`. */
function withoutFutureRating(talk: DemoTalkRecord, now: Date): DemoTalkRecord {
  const { rating, ...rest } = talk
  return rating && rating.at < now ? talk : rest
}

function makeTalk(
  dice: Dice,
  { people, fullNames }: Cast,
  memories: Memory[],
  start: Date,
  daysAgo: number,
): DemoTalkRecord | undefined {
  const habit = dice.weighted(habits, (one) => (isThere(one, start) ? one.share : 0))
  if (!habit) return undefined
  const isBegunByUs = dice.chance(habit.startsShare)
  const contact = dice.weighted([...people.keys()], (index) =>
    isFree(people[index], memories[index], start, daysAgo) ? weightOf(people[index], isBegunByUs) : 0,
  )
  const [person, memory] = [people[contact ?? -1], memories[contact ?? -1]]
  if (contact === undefined || !person || !memory) return undefined
  const scenario = chooseScenario(dice, person, memory, isBegunByUs)
  if (!scenario) return undefined
  const facts = drawFacts(dice, person, habit, start)
  const talk = { dice, person, habit, scenario, facts, start, daysAgo, isBegunByUs, fullNames }
  const record = { ...recordOf(talk), contact }
  memory.freeFrom = Math.max(record.completedAt.getTime(), record.rating?.at.getTime() ?? 0) + 12 * minuteMs
  memory.recent = [scenario.name, ...memory.recent].slice(0, 5)
  return record
}

function isThere(habit: Habit, at: Date) {
  return hourOf(at) >= habit.from && hourOf(at) < habit.until
}

function isFree(
  person: DemoPerson | undefined,
  memory: Memory | undefined,
  at: Date,
  daysAgo: number,
): boolean {
  if (!person || !memory || memory.freeFrom > at.getTime()) return false
  return daysAgo >= (person.quietDays ?? 0) && daysAgo <= (person.sinceDays ?? historyDays)
}

function groupOf({ category }: DemoPerson) {
  return category === 'general' ? 'geral' : category.toLowerCase()
}

function weightOf(person: DemoPerson | undefined, isBegunByUs: boolean): number {
  if (!person) return 0
  return isBegunByUs && !['cliente', 'vip', 'lead'].includes(groupOf(person)) ? 0 : person.weight
}

/** Draws a scenario for the contact's category, none of its recent ones. */
function chooseScenario(
  dice: Dice,
  person: DemoPerson,
  memory: Memory,
  isBegunByUs: boolean,
): Scenario | undefined {
  const group = groupOf(person)
  return dice.weighted(scenarios, ({ name, groups, weight }) =>
    groups.includes(group) && groups.includes('iniciada') === isBegunByUs && !memory.recent.includes(name)
      ? weight
      : 0,
  )
}

interface Talk {
  dice: Dice
  person: DemoPerson
  habit: Habit
  scenario: Scenario
  facts: Facts
  start: Date
  daysAgo: number
  isBegunByUs: boolean
  fullNames: ReadonlyMap<string, string>
}

function recordOf(talk: Talk): Omit<DemoTalkRecord, 'contact'> {
  const { dice, person, habit, scenario, facts, start, daysAgo, isBegunByUs, fullNames } = talk
  const lines = composeTalk(dice, scenario, person, habit, facts)
  const spoken = addIncidents(dice, placeLines(dice, { lines, start, habit, facts }))
  const operator = { username: habit.username, fullName: fullNames.get(habit.username) ?? habit.name }
  const withTexts = addAutomatic(dice, spoken, { daysAgo, isBegunByUs, operator })
  const { messages, finisher } = transfer(talk, withTexts)
  const { at: completedAt, isByClock } = endOf(dice, messages, finisher)
  const rating = rate(talk, finisher, completedAt)
  const notes =
    dice.chance(0.24) && scenario.notes.length > 0 ? fill(dice, dice.pick(scenario.notes), facts) : undefined
  return {
    scenario: scenario.name,
    assignedUserId: finisher.username,
    initiatedBy: isBegunByUs ? 'operator' : 'contact',
    priority: priorityOf(dice, person, scenario),
    disableAutoClose: dice.chance(0.02),
    completedAt,
    ...(notes && { notes }),
    ...(rating && { rating }),
    messages: [
      ...(isBegunByUs ? messages : withTaking(messages)),
      ...farewellOf(dice, completedAt, { daysAgo, isByClock }),
      isByClock
        ? eventOf(null, { act: 'closed_by_inactivity' }, completedAt)
        : eventOf(finisher.username, { act: 'finalized' }, completedAt),
    ],
  }
}

function priorityOf(dice: Dice, person: DemoPerson, { mood }: Scenario): 'low' | 'normal' | 'high' {
  if (dice.chance(mood <= -0.5 ? 0.6 : person.category === 'VIP' ? 0.2 : 0.05)) return 'high'
  return dice.chance(0.07) ? 'low' : 'normal'
}

/** Transfers some conversations halfway; the second operator also completes them. */
function transfer(
  { dice, habit, fullNames }: Talk,
  messages: DemoMessage[],
): { messages: DemoMessage[]; finisher: Habit } {
  const from = messages.findIndex(({ from: by }) => typeof by === 'object') + 2
  const after = messages[from]
  const others = habits.filter(({ username, share }) => username !== habit.username && share > 5)
  if (!after || messages.length - from < 4 || !dice.chance(0.045)) return { messages, finisher: habit }
  const finisher = dice.pick(others)
  const at = new Date(after.at.getTime() - 3000)
  const fullName = fullNames.get(finisher.username) ?? finisher.name
  const handed = eventOf(habit.username, { act: 'transferred', to: fullName }, at)
  const notice = transferNotice(dice, fullName, at)
  const rest = messages
    .slice(from)
    .map((message) =>
      typeof message.from === 'object' ? { ...message, from: { operator: finisher.username } } : message,
    )
  const all = [...messages.slice(0, from), handed, notice, ...rest].toSorted(
    (a, b) => a.at.getTime() - b.at.getTime(),
  )
  return { messages: all, finisher }
}

const answeredShare = 0.46
const ratingValues = [1, 2, 3, 4, 5] as const

function rate({ dice, scenario, facts }: Talk, finisher: Habit, completedAt: Date): DemoTalkRecord['rating'] {
  if (!dice.chance(answeredShare)) return undefined
  const drawn = dice.weighted(ratingValues, (value) => finisher.ratings[value - 1] ?? 0) ?? 5
  const shift = dice.chance(Math.abs(scenario.mood)) ? Math.sign(scenario.mood) : 0
  const value = ratingValues.find((one) => one === drawn + shift) ?? drawn
  const feedback = dice.chance(0.3)
    ? fill(dice, dice.pick(feedbacks[value]), { ...facts, op: finisher.name })
    : null
  const at = new Date(completedAt.getTime() + Math.min(dice.around(7 * minuteMs, 1), dayMs / 2))
  return { value, feedback, at }
}
