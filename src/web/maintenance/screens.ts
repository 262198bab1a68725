import { Wrench } from 'lucide-react'
import type { Screens } from '#web/platform/screens.ts'

export const screens = {
  '/maintenance': {
    load: async () => (await import('./maintenance-screen.tsx')).MaintenanceScreen,
    menu: { icon: Wrench, group: 'management' },
  },
} satisfies Screens
