import { ContactRound } from 'lucide-react'
import type { Screens } from '#web/platform/screens.ts'

export const screens = {
  '/contacts': {
    load: async () => (await import('#web/contacts/directory/contacts-screen.tsx')).ContactsScreen,
    menu: { icon: ContactRound, group: 'daily' },
  },
  '/contacts/import': {
    load: async () => (await import('#web/contacts/import/import-screen.tsx')).ImportScreen,
    within: '/contacts',
  },
} satisfies Screens
