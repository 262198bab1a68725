import { type ComponentProps, createElement } from 'react'
import { partInPlace } from '#web/platform/loading/in-place.tsx'
import { useMe } from '#web/users/users.tsx'
import type { ViewTabs } from './view-tabs.tsx'

const useViewTabs = partInPlace(async () => (await import('./view-tabs.tsx')).ViewTabs)

/** The saved views behind the tabs, loaded where there are any. */
export function SavedViews(props: ComponentProps<typeof ViewTabs>) {
  const tabs = useViewTabs(useMe().hasViews)
  return tabs && createElement(tabs, props)
}
