import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Act, acts, screenPaths, screenRuleOf } from '../src/shared/acts.ts'
import { screens } from '../src/web/rooms/screens.ts'
import { actGroups } from '../src/shared/text/rights/act-texts.ts'

const web = join(import.meta.dirname, '..', 'src', 'web')
const sources = globSync('**/*.{ts,tsx}', { cwd: web })
  .filter((file) => !/\.test\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(web, file), 'utf8') }))

/** Files that speak of a role or of flags, and decide nothing about a control by it. */
const unasking = [
  // Fields of a form whose names begin like those of flags.
  'assistant/settings/help-section.tsx',
  'assistant/settings/transcription-section.tsx',
  // The words of a line.
  'shell/login-locked-banner.tsx',
  // Whose permissions are set.
  'users/permissions/permissions-dialog.tsx',
  'users/permissions/permissions-screen.tsx',
  'users/permissions/flag-list.tsx',
  // What whoever is invited will be: administrators have all permissions and numbers.
  'users/invitations/invite-dialog.tsx',
  // Whose numbers are shown and chosen: administrators have all.
  'users/accounts/account-row.tsx',
  'users/accounts/numbers-choice.tsx',
  // Who is listed in the team.
  'conversations/dashboard/team.ts',
  // Who receives a conversation, and who is counted as an operator.
  'conversations/dashboard/distribution.ts',
  'conversations/dashboard/stats-figures.tsx',
]

test('no screen asks for a flag or a role past the description of acts', () => {
  const asks = /\bpermissions(\.can|\[)|\.role\b ?[!=]==|\brole [!=]==|['"]can[A-Z]\w+['"]/
  expect(
    sources.filter(({ file, text }) => !unasking.includes(file) && asks.test(text)).map(({ file }) => file),
  ).toEqual([])
})

describe("what 'Ver como' says of a control", () => {
  const askedBySources = new Set(
    sources.flatMap(({ text }) => [...text.matchAll(/\buseCan\(\s*'(\w+)'/g)].map(([, act]) => act as Act)),
  )
  const askedInTexts = new Set(
    actGroups.flatMap((group) => group.acts.filter((text) => !text.isAlwaysShown).map(({ act }) => act)),
  )
  /** Left out of the answer by the server. */
  const leftOut: Act[] = ['viewStatistics', 'viewTracking']

  test('is hidden where the control asks, and only there', () => {
    expect(askedBySources.size).toBeGreaterThan(10)
    const opening = new Set(screenPaths.map((path) => screenRuleOf(path).opensWith))
    expect([...askedBySources].filter((act) => !askedInTexts.has(act) && !opening.has(act))).toEqual([])
    expect([...askedInTexts].filter((act) => !askedBySources.has(act) && !leftOut.includes(act))).toEqual([])
  })

  test('is the text that the control has', () => {
    // Several controls, and messages in the timeline.
    const described = ['Editar dados do contato', 'Registros de visualização e avisos da fila']
    const labels = new Set(actGroups.flatMap((group) => group.acts.map(({ label }) => label)))
    const isShown = (label: string) => {
      const pattern = new RegExp(`(['"\`]|^\\s*)${label.replaceAll('+', '\\+')}\\b`, 'm')
      return sources.some(({ text }) => pattern.test(text))
    }
    expect([...labels].filter((label) => !described.includes(label) && !isShown(label))).toEqual([])
  })

  test('is asked of acts that exist', () => {
    expect([...askedBySources].filter((act) => !acts.includes(act))).toEqual([])
  })
})

test('every screen of the routes is described', () => {
  const paths: string[] = Object.keys(screens)
  /** Of one thing among those of another screen, and the developers' page. */
  const others = [
    '/conversas-arquivadas/:id',
    '/test-contact-display',
    '/contacts/:id',
    // Only until its steps are done.
    '/primeiros-passos',
  ]
  const described: readonly string[] = screenPaths
  expect(paths.filter((path) => !described.includes(path) && !others.includes(path))).toEqual([])
  expect(described.filter((path) => !paths.includes(path))).toEqual([])
})
