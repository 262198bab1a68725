import * as z from 'zod/mini'
import { ownState } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { idParam } from '#shared/users/users.ts'

// 'Seguir': being told of what happens in a conversation, also without being its operator.

const params = z.object({ id: idParam })
const reply = z.object({ isFollowed: z.boolean() })

export const getFollowing = endpoint({
  method: 'GET',
  path: '/api/conversations/:id/follow',
  summary: 'Se a pessoa segue a conversa',
  act: 'viewConversations',
  audit: ownState,
  ids: { id: 'conversation' },
  params,
  reply,
})

export const follow = endpoint({
  method: 'PUT',
  path: '/api/conversations/:id/follow',
  summary: 'Seguir a conversa: ser avisado do que acontece nela',
  act: 'viewConversations',
  audit: ownState,
  ids: { id: 'conversation' },
  params,
  reply,
})

export const unfollow = endpoint({
  method: 'DELETE',
  path: '/api/conversations/:id/follow',
  summary: 'Deixar de seguir a conversa',
  act: 'viewConversations',
  audit: ownState,
  ids: { id: 'conversation' },
  params,
  reply,
})
