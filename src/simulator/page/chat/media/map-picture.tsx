/** A drawn map with a pin; no tiles are fetched. */
export function MapPicture() {
  return (
    <svg
      viewBox="0 0 300 176"
      preserveAspectRatio="xMidYMid slice"
      role="img"
      aria-label="Mapa do local"
      className="block h-[112px] w-[190px] max-w-full rounded-[9px]"
    >
      <rect width="300" height="176" className="fill-sunken" />
      <path d="M196 0h104v80l-70 16Z" className="fill-green-soft" />
      <g strokeWidth="8" fill="none" className="stroke-surface">
        <path d="M-5 132 305 60M62 180 40-4M140 180 112-4M222 180 190-4M-5 46 300 4" />
      </g>
      <path d="M-5 154 305 110" strokeWidth="10" className="stroke-amber-line" />
      <path d="M150 48c-11 0-19 8-19 18 0 14 19 32 19 32s19-18 19-32c0-10-8-18-19-18Z" className="fill-red" />
      <circle cx="150" cy="66" r="7" className="fill-surface" />
    </svg>
  )
}
