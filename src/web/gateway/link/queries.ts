import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  connectGatewayNumber,
  getGatewayLink,
  type GatewayLink,
  logOutGatewayNumber,
  restartGatewayNumber,
  verifyGatewayWebhook,
} from '#shared/gateway/gateway-link.ts'
import { call } from '#web/platform/api/api.ts'
import { gatewayKeys } from '#web/gateway/pushed.ts'

/** How a number is linked to its phone. A push of the live link has it fetched again at once. */
export const linkQuery = (id: number) =>
  queryOptions({
    queryKey: [...gatewayKeys.status, 'link', id],
    queryFn: ({ signal }) => call(getGatewayLink, { params: { id }, signal }),
    staleTime: 0,
  })

/** The acts on the number with this id, each of which answers how it is linked then. */
export function useLinkActs(id: number) {
  const client = useQueryClient()
  const shown = {
    onSuccess: (link: GatewayLink) => {
      client.setQueryData(linkQuery(id).queryKey, link)
      void client.invalidateQueries({ queryKey: gatewayKeys.status })
    },
    onError: () => void client.invalidateQueries({ queryKey: gatewayKeys.status }),
  }
  const params = { id }
  return {
    connect: useMutation({
      mutationFn: (number?: string) =>
        call(connectGatewayNumber, { params, body: number === undefined ? {} : { number } }),
      ...shown,
    }),
    restart: useMutation({ mutationFn: () => call(restartGatewayNumber, { params }), ...shown }),
    logOut: useMutation({ mutationFn: () => call(logOutGatewayNumber, { params }), ...shown }),
  }
}
export type LinkActs = ReturnType<typeof useLinkActs>

/** Registers our webhook and waits until the gateway has reached it. */
export function useVerifyWebhook(id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(verifyGatewayWebhook, { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: gatewayKeys.all }),
  })
}
