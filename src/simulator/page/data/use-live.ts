import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { listen, type StreamStatus } from './event-stream.ts'
import { applyEvent } from './queries.ts'

/** Keeps the page's data up to date from the stream. Use once in a page. */
export function useLive(): StreamStatus {
  const client = useQueryClient()
  const [status, setStatus] = useState<StreamStatus>('connecting')
  useEffect(() => listen((event) => applyEvent(client, event), setStatus), [client])
  return status
}
