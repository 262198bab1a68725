import { Building2 } from 'lucide-react'
import type { Screens } from '#web/platform/screens.ts'

export const screens = {
  '/companies': {
    load: async () => (await import('./companies-screen.tsx')).CompaniesScreen,
    menu: { icon: Building2, group: 'daily' },
  },
} satisfies Screens
