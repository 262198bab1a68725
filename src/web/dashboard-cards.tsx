import { createElement } from 'react'
import { fetchedOnDemand } from '#web/ui/on-demand.tsx'
import { useCan } from '#web/users/users.tsx'

// What other rooms put on the dashboard, for those who may see it.

const useFirstSteps = fetchedOnDemand(
  async () => (await import('#web/gateway/first-steps/first-steps-card.tsx')).FirstStepsCard,
)
const useWeeklySummary = fetchedOnDemand(
  async () => (await import('#web/reports/weekly-summary.tsx')).WeeklySummary,
)

export function DashboardCards() {
  const steps = useFirstSteps(useCan('manageGateway'), () => undefined)
  const summary = useWeeklySummary(useCan('viewReports'), () => undefined)
  return (
    <>
      {steps && createElement(steps)}
      {summary && createElement(summary)}
    </>
  )
}
