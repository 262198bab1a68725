import * as z from 'zod/mini'
import { ownState } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { idParam } from '#shared/users/users.ts'

// 'Seguir': being told of what happens in a conversation, also without being its operator.

const path = '/api/conversations/:id/follow'
const params = z.object({ id: idParam })
const reply = z.object({ isFollowed: z.boolean() })
const common = {
  path,
  act: 'viewConversations',
  audit: ownState,
  ids: { id: 'conversation' },
  params,
  reply,
} as const

export const getFollowing = endpoint({
  method: 'GET',
  summary: 'Se a pessoa segue a conversa',
  ...common,
})

export const follow = endpoint({
  method: 'PUT',
  summary: 'Seguir a conversa: ser avisado do que acontece nela',
  ...common,
})

export const unfollow = endpoint({
  method: 'DELETE',
  summary: 'Deixar de seguir a conversa',
  ...common,
})
