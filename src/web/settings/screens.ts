import { Settings } from 'lucide-react'
import type { Screens } from '#web/platform/screens.ts'

export const screens = {
  '/settings': {
    load: async () => (await import('./settings-screen.tsx')).SettingsScreen,
    aliases: ['/configuracoes'],
    menu: { icon: Settings, group: 'management' },
  },
  '/settings-advanced': { within: '/settings' },
} satisfies Screens
