import { createElement } from 'react'
import { partInPlace } from '#web/platform/loading/in-place.tsx'
import { useCan } from '#web/users/users.tsx'

// What other rooms put on the dashboard, for those who may see it.

const useFirstSteps = partInPlace(
  async () => (await import('#web/gateway/first-steps/first-steps-card.tsx')).FirstStepsCard,
)
const useWeeklySummary = partInPlace(
  async () => (await import('#web/reports/weekly-summary.tsx')).WeeklySummary,
)

export function DashboardCards() {
  const steps = useFirstSteps(useCan('manageGateway'))
  const summary = useWeeklySummary(useCan('viewReports'))
  return (
    <>
      {steps && createElement(steps)}
      {summary && createElement(summary)}
    </>
  )
}
