import { ScrollText } from 'lucide-react'
import type { Screens } from '#web/platform/screens.ts'

export const screens = {
  '/auditoria': {
    load: async () => (await import('./audit-screen.tsx')).AuditScreen,
    menu: { icon: ScrollText, group: 'management' },
  },
} satisfies Screens
