import { demoReasonOf } from '#server/demo/reasons.ts'
import { addAutomatic, eventOf, farewellOf, withTaking } from './automatic.ts'
import { brazilianDay, dayAfter, dayMs, drawStart, minuteMs, talksOf } from './calendar.ts'
import { drawFacts, type Facts, fill } from './facts.ts'
import { type Habit, habits, isThere } from './habits.ts'
import { handOver } from './hand-over.ts'
import { withNote } from './notes.ts'
import { oddTalks } from './odd-talks.ts'
import type { DemoPerson } from '#server/demo/people.ts'
import { defaultSector, type DemoSectorName, sectorsOf } from '#server/demo/sectors.ts'
import { feedbacks } from '#server/demo/scripts/phrases.ts'
import { dice as diceOf, type Dice } from './random.ts'
import { type PlacedScenario, scenarios } from '#server/demo/scripts/scenarios.ts'
import { addIncidents } from './incidents.ts'
import { composeTalk } from './talk.ts'
import { type DemoTalkRecord, endOf, placeLines } from './timeline.ts'

const historyDays = 90

/** Full names by user name, and the contacts. */
interface Cast {
  fullNames: ReadonlyMap<string, string>
  people: readonly DemoPerson[]
}

interface Shop extends Cast {
  offers: ReturnType<typeof offersTo>
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
  const shop = { ...cast, offers: offersTo(cast.people) }
  const memories = cast.people.map((): Memory => ({ freeFrom: 0, recent: [] }))
  const talks: DemoTalkRecord[] = []
  for (let daysAgo = historyDays; daysAgo >= 0; daysAgo--) {
    const day = dayAfter(today, -daysAgo)
    const dice = diceOf(`${seed} ${today} ${day}`)
    const starts = Array.from({ length: talksOf(dice, day, daysAgo) }, () => drawStart(dice, day))
    for (const start of starts.sort((a, b) => a.getTime() - b.getTime())) {
      const talk = makeTalk(dice, shop, memories, start, daysAgo)
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
  { people, fullNames, offers: offersFor }: Shop,
  memories: Memory[],
  start: Date,
  daysAgo: number,
): DemoTalkRecord | undefined {
  const habit = dice.weighted(habits, (one) => (isThere(one, start) ? one.share : 0))
  if (!habit) return undefined
  const isBegunByUs = dice.chance(habit.startsShare)
  const isAstray = dice.chance(astrayShare) && !isBegunByUs
  const offers = offersFor(habit, { isBegunByUs, isAstray })
  const contact = dice.weighted([...people.keys()], (index) => {
    const [person, memory] = [people[index], memories[index]]
    const isIn = person && memory && person.weight > 0 && isFree(person, memory, start, daysAgo)
    return isIn && offers[index]?.some((one) => isNew(memory, one)) ? person.weight : 0
  })
  const [person, memory] = [people[contact ?? -1], memories[contact ?? -1]]
  if (contact === undefined || !person || !memory) return undefined
  const scenario = dice.weighted(offers[contact] ?? [], (one) => (isNew(memory, one) ? one.weight : 0))
  if (!scenario) return undefined
  const facts = drawFacts(dice, person, habit, start)
  const sector = isAstray ? (person.sector ?? sectorsOf(habit.username)[0] ?? defaultSector) : scenario.sector
  const talk = { dice, person, habit, scenario, sector, facts, start, daysAgo, isBegunByUs, fullNames }
  const record = { ...recordOf(talk), contact }
  memory.freeFrom = Math.max(record.completedAt.getTime(), record.rating?.at.getTime() ?? 0) + 12 * minuteMs
  memory.recent = [scenario.name, ...memory.recent].slice(0, 5)
  return record
}

function isFree(person: DemoPerson, memory: Memory, at: Date, daysAgo: number): boolean {
  if (memory.freeFrom > at.getTime()) return false
  return daysAgo >= (person.quietDays ?? 0) && daysAgo <= (person.sinceDays ?? historyDays)
}

function groupOf({ category }: DemoPerson) {
  return category === 'general' ? 'geral' : category.toLowerCase()
}

/** How many clients come to a sector first that cannot help them. */
const astrayShare = 0.05

interface Way {
  isBegunByUs: boolean
  isAstray: boolean
}

const isNew = ({ recent }: Memory, { name }: PlacedScenario) => !recent.includes(name)

type Offers = readonly (readonly PlacedScenario[])[]

/** What each of the people may come with to an operator: worked out once for all conversations. */
function offersTo(people: readonly DemoPerson[]): (habit: Habit, way: Way) => Offers {
  const known = new Map<string, Offers>()
  return (habit, way) => {
    const key = `${habit.username} ${way.isBegunByUs} ${way.isAstray}`
    const found = known.get(key) ?? people.map((person) => offersOf(person, habit, way))
    known.set(key, found)
    return found
  }
}

function offersOf(person: DemoPerson, { username }: Habit, { isBegunByUs, isAstray }: Way) {
  const own = sectorsOf(username)
  const there = person.sector ? own.filter((sector) => sector === person.sector) : own
  if (there.length === 0) return []
  return scenarios.filter(
    ({ groups, sector }) =>
      groups.includes(groupOf(person)) &&
      groups.includes('iniciada') === isBegunByUs &&
      (isAstray ? !own.includes(sector) : there.includes(sector)),
  )
}

interface Talk {
  dice: Dice
  person: DemoPerson
  habit: Habit
  scenario: PlacedScenario
  /** The sector to which it comes. */
  sector: DemoSectorName
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
  const { messages, finisher, sector } = handOver(talk, withTexts)
  const { at: completedAt, isByClock } = endOf(dice, messages, finisher)
  const rating = rate(talk, finisher, completedAt)
  const reason = isByClock ? undefined : demoReasonOf(scenario.name, sector, completedAt)
  const notes =
    dice.chance(0.24) && scenario.notes.length > 0 ? fill(dice, dice.pick(scenario.notes), facts) : undefined
  return {
    scenario: scenario.name,
    assignedUserId: finisher.username,
    sector,
    initiatedBy: isBegunByUs ? 'operator' : 'contact',
    priority: priorityOf(dice, person, scenario),
    disableAutoClose: dice.chance(0.02),
    completedAt,
    ...(notes && { notes }),
    ...(reason !== undefined && { reason }),
    ...(rating && { rating }),
    messages: [
      ...withNote(isBegunByUs ? messages : withTaking(messages), facts),
      ...farewellOf(dice, completedAt, { daysAgo, isByClock }),
      isByClock
        ? eventOf(null, { act: 'closed_by_inactivity' }, completedAt)
        : eventOf(
            finisher.username,
            { act: 'finalized', ...(reason !== undefined && { ended: reason }) },
            completedAt,
          ),
    ],
  }
}

function priorityOf(dice: Dice, person: DemoPerson, { mood }: PlacedScenario): 'low' | 'normal' | 'high' {
  if (dice.chance(mood <= -0.5 ? 0.6 : person.category === 'VIP' ? 0.2 : 0.05)) return 'high'
  return dice.chance(0.07) ? 'low' : 'normal'
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
