import { ShieldCheck, Users } from 'lucide-react'
import type { Screens } from '#web/platform/screens.ts'

export const screens = {
  '/perfil': { load: async () => (await import('#web/users/profile/profile-screen.tsx')).ProfileScreen },
  '/users': {
    load: async () => (await import('#web/users/accounts/users-screen.tsx')).UsersScreen,
    menu: { icon: Users, group: 'management' },
  },
  '/permissions': {
    load: async () => (await import('#web/users/permissions/permissions-screen.tsx')).PermissionsScreen,
    menu: { icon: ShieldCheck, group: 'management' },
  },
} satisfies Screens
