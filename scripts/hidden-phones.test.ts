import { expect, onTestFinished, test } from 'vitest'
import {
  everyAnswer,
  everyFrame,
  listenAll,
  type Reached,
  startHiddenWorld,
  tellsAmong,
} from '../proof/phones/every-answer.ts'
import { tellsIn } from '../proof/phones/numbers.ts'

const line = ([{ what, who, status }, told]: readonly [Reached, string[]]) =>
  `${what} (${who}, ${status ?? 'pushed'}): ${told[0]}`

test(
  'nothing tells a telephone number to people from whom they are hidden',
  { timeout: 400_000 },
  async () => {
    const world = await startHiddenWorld((close) => onTestFinished(async () => void (await close())))
    const ears = await listenAll(world, world.callers)
    const reached = [...(await everyAnswer(world)), ...(await everyFrame(world, ears))]
    const tells = [...(await tellsAmong(world, reached))]
    expect(tells.filter(([{ who }]) => who !== 'admin').map(line)).toEqual([])
    // Whoever sees numbers is told them by so many calls and frames that nothing was overlooked.
    const shown = new Set(tells.filter(([{ who }]) => who === 'admin').map(([{ what }]) => what))
    expect(shown.size).toBeGreaterThan(60)
    const masked = new Set(reached.filter(({ text }) => text.includes('•')).map(({ what }) => what))
    expect(masked.size).toBeGreaterThan(50)
  },
)

test('a number is found in every form in which it may be told', () => {
  const parts = new Set(['3524683', '9735246', '7352468'])
  for (const text of [
    '5511973524683',
    '"(11) 97352-4683"',
    '+55 11 9 7352 4683',
    '5511973524683@s.whatsapp.net',
    '551173524683',
    'conversa-11973524683.pdf',
    '１１９７３５２４６８３',
  ])
    expect([text, tellsIn(text, parts).length]).toEqual([text, 1])
  expect(tellsIn('(11) •••• -4683 20200101524683 35246837352468397352463524683735', parts)).toEqual([])
})
