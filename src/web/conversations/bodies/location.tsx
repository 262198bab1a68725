import { MapPin, Radio } from 'lucide-react'
import type { ReactNode } from 'react'
import type { MessageMetadata } from '#shared/messages/message-metadata.ts'
import type { Message } from '#shared/messages/messages.ts'
import { cardWidth, BodyHead } from './body-head.tsx'
import { cut } from '#web/ui/cut.ts'
import { kindLabel } from '#web/conversations/kinds/kinds.ts'
import { RichText, SafeLink } from '#web/ui/rich-text/rich-text.tsx'

/** A location with its name, address, coordinates and a link to a map. */
export function LocationCard({
  message,
  location,
  meta,
}: {
  message: Message
  location: NonNullable<MessageMetadata['location']>
  meta: ReactNode
}) {
  const { name, address, isLive, latitude, longitude } = location
  const label = kindLabel('location', message.metadata)
  const words = wordsBeside(message.content, [name, address])
  return (
    <div className={cardWidth}>
      <BodyHead
        icon={isLive ? Radio : MapPin}
        title={cut(name ?? label)}
        detail={name === undefined ? undefined : label}
      />
      {address && (
        <p dir="auto" className="mt-1 text-sm text-ink-2">
          <RichText text={address} />
        </p>
      )}
      {words && (
        <p dir="auto" className="mt-1">
          <RichText text={words} />
        </p>
      )}
      <div className="mt-1">
        <span className="mr-2 text-xs text-ink-2 tabular-nums">{coordinates(latitude, longitude)}</span>
        <SafeLink
          href={mapAddress(latitude, longitude)}
          className="target inline-flex items-center text-sm leading-6"
        >
          Abrir no mapa
        </SafeLink>
        {meta}
      </div>
    </div>
  )
}

/** The first lines of the content repeat the name and address; the client's own text follows them. */
function wordsBeside(content: string, place: (string | undefined)[]): string {
  const named = place.filter(Boolean).join('\n')
  return content.startsWith(named) ? content.slice(named.length).trim() : content
}

/** '-23.56140, -46.65590', as maps accept it: accurate to about a metre. */
function coordinates(latitude: number, longitude: number): string {
  return `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`
}

function mapAddress(latitude: number, longitude: number): string {
  return `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`
}
