import { expect, test } from 'vitest'
import type { Message } from '#shared/messages/messages.ts'
import type { Notification, Unread } from '#shared/notifications/notifications.ts'
import { given } from '#server/testing/given.ts'
import { type Client, forAllTests, testApp } from '#server/testing/test-app.ts'

const t = forAllTests(testApp)
const ana = forAllTests(() => t.signIn('operator', 'ana'))
const bruno = forAllTests(() => t.signIn('operator', 'bruno'))

type Page = { notifications: Notification[]; next: string | null; unread: Unread }
const listOf = (who: Client, tab = 'mentions', before?: string) =>
  who.get<Page>(`/api/notifications?tab=${tab}${before ? `&before=${before}` : ''}`)
const talk = () => given.conversation(t, ana)
const noteIn = (id: number, content: string, mentions: unknown[], who = ana) =>
  who.request<Message>('POST', `/api/conversations/${id}/notes`, { content, mentions })
const ofUser = ({ userId }: Client) => ({ userId })
const aboutOf = (page: Page, conversationId: number) =>
  page.notifications.filter(({ about }) => about?.conversationId === conversationId)

test('whoever a note mentions is told of it once, with its sentence, and its author is not', async () => {
  const { id, contact } = await talk()
  const content = '@Bruno e @Ana: vale 8 %? @Bruno'
  const { status, body } = await noteIn(id, content, [ofUser(bruno), ofUser(ana), ofUser(bruno)])
  expect(status).toBe(201)
  expect(body.metadata.mentions).toEqual([
    { userId: bruno.userId, name: 'Bruno' },
    { userId: ana.userId, name: 'Ana' },
  ])
  const [told, ...others] = aboutOf(await listOf(bruno), id)
  expect(others).toEqual([])
  expect(told).toMatchObject({
    kind: 'mention',
    isRead: false,
    count: 1,
    about: {
      isCompleted: false,
      contactName: contact.name,
      by: { id: ana.userId, name: 'Ana' },
      sectorName: null,
      message: { id: body.id, messageType: 'note', content, mentioned: ['Bruno', 'Ana'] },
    },
  })
  expect(aboutOf(await listOf(ana), id)).toEqual([])
})
