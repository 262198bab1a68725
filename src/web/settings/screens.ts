import { Layers, Settings } from 'lucide-react'
import type { Screens } from '#web/platform/screens.ts'

export const screens = {
  '/settings': {
    load: async () => (await import('./settings-screen.tsx')).SettingsScreen,
    aliases: ['/configuracoes'],
    menu: { icon: Settings, group: 'management' },
  },
  '/settings-advanced': { within: '/settings' },
  // Here, since its hours and texts have the fields of the settings.
  '/setores': {
    load: async () => (await import('./sectors/sectors-screen.tsx')).SectorsScreen,
    menu: { icon: Layers, group: 'management' },
  },
} satisfies Screens
