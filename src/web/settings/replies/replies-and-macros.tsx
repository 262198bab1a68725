import { useLocation, useSearchParams } from 'wouter'
import { MacrosTab } from '#web/macros/macros.tsx'
import { Tabs } from '#web/ui/layout/tabs.tsx'
import { useCan } from '#web/users/users.tsx'
import { RepliesTab } from './replies-tab.tsx'

const tabs = [
  { value: 'respostas', label: 'Respostas rápidas' },
  { value: 'macros', label: 'Macros' },
]

/** Quick replies, and for who has conversations macros, at addresses of their own. */
export function RepliesAndMacros() {
  const hasMacros = useCan('viewConversations')
  const [path, navigate] = useLocation()
  const [search] = useSearchParams()
  if (!hasMacros) return <RepliesTab />
  const isMacros = [search.get('aba'), search.get('secao')?.toLowerCase()].includes('macros')
  return (
    <Tabs
      label="Respostas e macros"
      tabs={tabs}
      value={isMacros ? 'macros' : 'respostas'}
      onChange={(next) => navigate(`${path}?aba=${next}`)}
    >
      {isMacros ? <MacrosTab /> : <RepliesTab />}
    </Tabs>
  )
}
