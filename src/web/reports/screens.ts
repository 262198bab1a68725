import { ChartColumn } from 'lucide-react'
import type { Screens } from '#web/platform/screens.ts'

export const screens = {
  '/reports': {
    load: async () => (await import('./reports-screen.tsx')).ReportsScreen,
    menu: { icon: ChartColumn, group: 'management' },
  },
  // Beside the reports, whose days are chosen alike.
  '/jornada': {
    load: async () => (await import('./timesheets-screen.tsx')).TimesheetsScreen,
    within: '/reports',
  },
} satisfies Screens
