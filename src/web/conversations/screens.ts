import { Archive, CalendarClock, LayoutDashboard, MessageCircle } from 'lucide-react'
import { ChatSkeleton } from '#web/conversations/chat/chat-skeleton.tsx'
import type { Screens } from '#web/platform/screens.ts'

export const screens = {
  '/': { menu: { icon: LayoutDashboard, group: 'daily' } },
  '/conversas-ativas': {
    load: async () =>
      (await import('#web/conversations/list/active-conversations-screen.tsx')).ActiveConversationsScreen,
    aliases: ['/conversations'],
    menu: { icon: MessageCircle, group: 'daily' },
  },
  '/chat': {
    load: async () => (await import('#web/conversations/chat/chat-screen.tsx')).ChatScreen,
    loading: ChatSkeleton,
    within: '/conversas-ativas',
  },
  '/conversas-arquivadas': {
    load: async () => (await import('#web/conversations/archive/archive-screen.tsx')).ArchiveScreen,
    aliases: ['/archived-conversations'],
    menu: { icon: Archive, group: 'daily' },
  },
  '/conversas-arquivadas/:id': {
    load: async () => (await import('#web/conversations/archive/archived-screen.tsx')).ArchivedScreen,
    within: '/conversas-arquivadas',
  },
  '/agendadas': {
    load: async () => (await import('#web/conversations/scheduled/scheduled-screen.tsx')).ScheduledScreen,
    menu: { icon: CalendarClock, group: 'daily' },
  },
  '/contacts/:id': {
    load: async () => (await import('#web/conversations/contact/contact-screen.tsx')).ContactScreen,
    within: '/contacts',
  },
  '/test-contact-display': {
    load: async () =>
      (await import('#web/conversations/bodies/test-contact-display-screen.tsx')).TestContactDisplayScreen,
  },
} satisfies Screens
