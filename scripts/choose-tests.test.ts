import { describe, expect, test } from 'vitest'
import { chooseTests, furtherTests, roomOf } from './choose-tests.ts'

const all = furtherTests([])
const chosenFor = (...changed: string[]) => chooseTests(changed, all)
const filesFor = (...changed: string[]) => chosenFor(...changed).map(({ file }) => file)
const inRoom = (room: string) => all.filter((file) => file.startsWith(`src/server/${room}/`))

describe('the tests that a change chooses', () => {
  test('the chosen tests are those of its room and those that import it, each with its reason', () => {
    const chosen = chosenFor('src/server/contacts/change.ts')
    expect(chosen.map(({ file }) => file)).toEqual(expect.arrayContaining(inRoom('contacts')))
    expect(chosen).toContainEqual({
      file: 'src/server/contacts/list.test.ts',
      because: 'its room has changed: src/server/contacts/change.ts',
    })
    // It imports the door of the conversations, which import the contacts.
    expect(chosen).toContainEqual({
      file: 'src/server/conversations/messages/changes.test.ts',
      because: 'it imports src/server/contacts/change.ts',
    })
    expect(chosen.map(({ file }) => file)).not.toContain('src/server/companies/companies.test.ts')
  })

  test('the chosen tests are the whole application’s too, whatever of the server has changed', () => {
    expect(filesFor('src/server/notices/routes.ts')).toContain('src/server/numbers.test.ts')
  })

  test('the tests of the commands and of the demonstration are chosen when these have changed', () => {
    expect(filesFor('src/server/cli/maintenance/undo-command.ts')).toEqual(
      expect.arrayContaining(['src/server/cli/maintenance/undo-command.test.ts', 'src/server/cli.test.ts']),
    )
    expect(filesFor('src/server/demo/people.ts')).toContain('src/server/demo/history/history.test.ts')
  })

  test('all tests are chosen when the base, the tools of tests or packages change', () => {
    for (const file of [
      'src/server/platform/http/http.ts',
      'src/server/schema/users.ts',
      'src/server/testing/test-app.ts',
      'src/server/app-routes.ts',
      'src/shared/endpoint.ts',
      'src/simulator/gateway/routes.ts',
      'package-lock.json',
      'vitest.config.ts',
    ])
      expect(filesFor(file)).toEqual(all)
  })

  test('the chosen tests are not those of all rooms when a text changes that a list puts together', () => {
    const chosen = filesFor('src/shared/contacts/texts.ts', 'src/shared/contacts/rights.ts')
    expect(chosen).toEqual(expect.arrayContaining(inRoom('contacts')))
    expect(chosen).not.toContain('src/server/reports/facts.test.ts')
    expect(chosen.length).toBeLessThan(all.length / 3)
  })

  test('all tests are chosen when a list changes in more than the lines of rooms', () => {
    expect(filesFor('src/shared/rooms/texts.ts')).toEqual(all)
    expect(filesFor('src/web/rooms/screens.ts')).toEqual([])
  })

  test('the chosen tests are that test alone when only a test has changed', () => {
    const file = 'src/server/platform/secrets.test.ts'
    expect(chosenFor(file)).toEqual([{ file, because: 'it has changed itself' }])
  })

  test('the chosen tests are none when nothing of the server has changed', () => {
    expect(filesFor('src/web/ui/buttons/button.tsx', 'docs/testing.md', 'e2e/chat.test.ts')).toEqual([])
  })

  test('the chosen tests are those of the room that the changed contract belongs to', () => {
    expect(filesFor('src/shared/reports/reports.ts')).toEqual(expect.arrayContaining(inRoom('reports')))
    expect(roomOf('src/shared/text/contacts/import-texts.ts')).toBe('contacts')
    expect(roomOf('src/shared/messages/messages.ts')).toBe('conversations')
    expect(roomOf('src/shared/notices/notices.ts')).toBe('notices')
    expect(roomOf('src/shared/text/phone.ts')).toBeUndefined()
  })
})
