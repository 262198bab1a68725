import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { listen, type StreamStatus } from './event-stream.ts'
import { applyEvent } from './queries.ts'

/** Keeps everything that the page shows as it is in the simulator. Once in a page. */
export function useLive(): StreamStatus {
  const client = useQueryClient()
  const [status, setStatus] = useState<StreamStatus>('connecting')
  useEffect(() => listen((event) => applyEvent(client, event), setStatus), [client])
  return status
}
