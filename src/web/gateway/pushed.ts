import { queryOptions, skipToken } from '@tanstack/react-query'

// What is pushed of the gateway, apart from its calls: every screen shows it, without their schemas.

const all = ['gateway'] as const

/** The parts of the keys of what is known of the gateway. */
export const gatewayKeys = {
  all,
  status: [...all, 'status'],
  link: [...all, 'link'],
  firstSteps: [...all, 'first-steps'],
} as const

/** Whether the number is connected, as pushed; undefined until first reported. */
export const connectedQuery = () =>
  queryOptions<boolean>({ queryKey: [...all, 'connected'], queryFn: skipToken, gcTime: Infinity })
